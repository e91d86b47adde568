export { type Accounts, createAccounts, type SignedInDevice, userScope } from './account.ts';
export { planReader, type PlanState } from './plan.ts';
