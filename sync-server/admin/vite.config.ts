/** How the admin panel is bundled. The server serves the result at /admin. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('./src'),
  base: '/admin/',
  plugins: [react()],
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
