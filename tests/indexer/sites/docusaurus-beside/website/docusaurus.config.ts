import type {Config} from '@docusaurus/types';

const base = '/';

const config: Config = {
  title: "It's a site",
  url: `https://beside.example`,
  baseUrl: base,
  presets: [
    [
      'classic',
      {
        docs: {path: '../docs', routeBasePath: '/', sidebarPath: require.resolve('./sidebars.js')},
        blog: {routeBasePath: 'news'},
      } satisfies Options,
    ],
  ],
  plugins: [
    ['@docusaurus/plugin-content-docs', {id: 'community', path: 'community', routeBasePath: 'people'}],
  ],
};

export default config;
