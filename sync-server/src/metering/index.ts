export { readAllowance } from './allowance.ts';
export { createLeases, type Leases, SIGN_OF_LIFE_MS } from './leases.ts';
export { createLedger, type Ledger, usedSeconds } from './ledger.ts';
export { heardCostMicros, PRICES_CHECKED_ON, spokenCostMicros, tokenCostMicros } from './prices.ts';
export { realtimeCostMicros } from './realtime-prices.ts';
