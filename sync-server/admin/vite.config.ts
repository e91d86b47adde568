/** How the admin panel is bundled. The server serves the result at /admin. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { PANEL_SOURCES, uniqueMessages } from '../../scripts/messages/read-messages.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Catalogue = Readonly<Record<string, string>>;

/** Adds to a panel catalogue the translations from the shared catalogue, but only of messages that the panel shows. */
const withSharedMessages: Plugin = {
  name: 'with-shared-messages',
  enforce: 'pre',
  async transform(code, id) {
    const language = /admin\/src\/locales\/([\w-]+)\.json$/.exec(id)?.[1];
    if (language === undefined) return null;
    const path = here(`../../packages/i18n/src/locales/${language}.json`);
    this.addWatchFile(path);
    const shared = JSON.parse(await readFile(path, 'utf8')) as Catalogue;
    const messages = await uniqueMessages(here('../..'), PANEL_SOURCES);
    const catalogue = { ...shared, ...(JSON.parse(code) as Catalogue) };
    return JSON.stringify(Object.fromEntries(messages.map((message) => [message, catalogue[message]])));
  },
};

export default defineConfig({
  root: here('./src'),
  base: '/admin/',
  plugins: [react(), withSharedMessages],
  // The server's policy forbids `data:` fonts, and every supported browser preloads modules itself.
  build: {
    outDir: here('./out'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
});
