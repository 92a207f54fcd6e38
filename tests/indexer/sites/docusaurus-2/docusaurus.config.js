module.exports = {
  title: 'Docusaurus of old',
  url: 'https://two.example',
  baseUrl: '/',
  trailingSlash: true,
  presets: [['classic', {
    docs: {versions: {'4.2': {path: 'version-4.2'}}},
  }]],
  themeConfig: {
    prism: {magicComments: [{className: 'bad', line: 'This will error'}]},
  },
};
