export default defineConfig({
  title: 'A VitePress site',
  cleanUrls: true,
})
