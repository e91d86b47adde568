export { type Account, createAccount } from './account.ts';
export { createExporter, type Exporter } from './export-all.ts';
export { createPlans, type Plans } from './plans.ts';
