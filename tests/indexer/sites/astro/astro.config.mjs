export default defineConfig({
  site: 'https://astro.example',
});
