export { readRemainingSeconds } from './allowance.ts';
export { HEARTBEAT_TIMEOUT_S, type RealtimeSessionEnd } from './lease-time.ts';
export { createLeases, type Leases, HEARTBEAT_INTERVAL_MS, type SpeechUsageMeter } from './leases.ts';
export { createLedger, type Ledger, readUsedSeconds } from './ledger.ts';
export type { Reservation } from './budget.ts';
export {
  estimateTokens,
  hasTokenPrice,
  transcriptionCostMicros,
  PRICES_CHECKED_ON,
  speechSynthesisCostMicros,
  tokenCostMicros,
} from './prices.ts';
export { hasRealtimePrice, realtimeCostMicros, realtimeMinuteMicros } from './realtime-prices.ts';
