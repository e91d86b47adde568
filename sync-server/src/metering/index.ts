export { readAllowance } from './allowance.ts';
export { type CallEnd, createLeases, type Leases, SIGN_OF_LIFE_MS, type SpeechMeter, UNHEARD_S } from './leases.ts';
export { createLedger, type Ledger, usedSeconds } from './ledger.ts';
export type { Reservation } from './budget.ts';
export { estimateTokens, heardCostMicros, PRICES_CHECKED_ON, spokenCostMicros, tokenCostMicros } from './prices.ts';
export { realtimeCostMicros, realtimeMinuteMicros } from './realtime-prices.ts';
