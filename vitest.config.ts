import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,desktop,sync-server,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/out/**', 'desktop/e2e/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Left alone, vitest keeps one core of two for itself, and needs half as long again.
    maxWorkers: '100%',
  },
});
