export { type Account, createAccount } from './account.ts';
export { createPlans, type Plans } from './plans.ts';
