import starlight from '@astrojs/starlight';
export default defineConfig({
  site: 'https://routes.example',
  integrations: [sitemap(), other({ title: 'Routes', defaultLocale: 'en' })],
});
