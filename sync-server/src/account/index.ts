export { type Accounts, createAccounts, type SignedInDevice, userScope } from './account.ts';
