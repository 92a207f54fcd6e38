import { defineConfig } from 'vitepress'

export const shared = defineConfig({
  srcDir: './src',
  base: '/docs/',
  srcExclude: ['**/(README|TODO).md'],
  rewrites: { 'en/:rest*': ':rest*', 'packages/:pkg/docs/(.*)': ':pkg/(.*)' },
  sitemap: { hostname: 'https://example.com' },
})
