import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://locales.example',
  integrations: [
    starlight({
      title: 'Tide tables',
      locales: {
        root: { label: 'English', lang: 'en' },
        fr: { label: 'Français' },
        'pt-br': { label: 'Português', lang: 'pt-BR' },
      },
    }),
  ],
});
