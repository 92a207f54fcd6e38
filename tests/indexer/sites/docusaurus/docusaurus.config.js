const config = {
  title: 'A Docusaurus site',
  url: 'https://docs.example',
  baseUrl: '/project/',
};
export default config;
