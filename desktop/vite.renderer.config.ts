/** How the renderer is bundled, for both shells. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { readThirdPartyNotices } from '../scripts/notices/third-party-notices.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const FIRST_SCREEN_LIBRARIES =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-(router|query|store)|router-core|query-core|store|history)|@orpc\/(client|shared|standard-server|standard-server-peer|tanstack-query)|@lingui)\//;

/** The Help screen lists the licences of everything that ships with the app. */
const notices = (): Plugin => ({
  name: 'parley:notices',
  apply: 'build',
  async generateBundle() {
    const list = await readThirdPartyNotices(here('..'), 'desktop');
    this.emitFile({ type: 'asset', fileName: 'third-party-notices.json', source: JSON.stringify(list) });
  },
});

export default defineConfig({
  root: here('./src/renderer'),
  // Relative, because the page is served from a folder, by a custom protocol or by the window server.
  base: './',
  plugins: [react(), notices()],
  // The worklet must stay a file of its own: a page without inline scripts loads nothing else.
  build: {
    outDir: here('./out/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    assetsInlineLimit: 0,
    // Both shells are Chromium, which preloads modules itself.
    modulePreload: { polyfill: false },
    // Code that every screen needs goes into one file, which compresses better than thirty.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'libraries', test: FIRST_SCREEN_LIBRARIES }] } } },
  },
});
