export { bringInStarterCatalogue } from './load-starter-catalogue.ts';
