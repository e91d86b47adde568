export { createLeases, type Leases } from './leases.ts';
export { createLedger, type Ledger } from './ledger.ts';
export { speechCostMicros, spokenCostMicros, tokenCostMicros } from './prices.ts';
export { realtimeCostMicros } from './realtime-prices.ts';
