import { defineConfig } from 'vitepress'
import { shared } from './shared'
import zh from './zh'

export default defineConfig({
  ...shared,
  locales: {
    root: { label: 'English', lang: 'en-US', title: 'A site in three languages' },
    zh: { label: '中文', ...zh },
    'pt-BR': { label: 'Português', lang: 'pt-BR' },
  },
})
