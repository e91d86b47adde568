/** How the renderer is bundled, for both shells alike. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('./src/renderer'),
  // Relative: the page is served from a folder, by a custom protocol or by the window server.
  base: './',
  plugins: [react()],
  // The worklet must stay a file of its own: a page without inline scripts loads nothing else.
  build: { outDir: here('./out/renderer'), emptyOutDir: true, target: 'chrome130', assetsInlineLimit: 0 },
});
