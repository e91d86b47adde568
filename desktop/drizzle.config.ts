/** Where `npm run migrations` finds the device's tables, and where it writes the changes. */
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/host/store/schema/tables.ts', './src/host/store/schema/device-tables.ts'],
  out: './src/host/store/migrations',
});
