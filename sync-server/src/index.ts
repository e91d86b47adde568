/** The server's public entry point for tests and benchmarks that run it inside their own process. */
export { eraseDueAccounts } from './account/index.ts';
export type { AppOptions } from './compose/app-options.ts';
export { buildApp } from './compose/build-app.ts';
export { installStarterCatalogue as bringInStarterCatalogue } from './catalogue/index.ts';
export { type DatabaseConnection, openDatabase } from './db/client.ts';
