/** The server's front door for those who start it inside their own process: tests and benches. */
export type { AppParts } from './app/app-parts.ts';
export { buildApp } from './app/build-app.ts';
export { bringInStarterCatalogue } from './catalogue/index.ts';
export { type DatabaseConnection, openDatabase } from './db/client.ts';
