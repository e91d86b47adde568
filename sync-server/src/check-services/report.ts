/** The table that an operator reads, without a secret in it. */
import { PRICES_CHECKED_ON } from '../metering/index.ts';
import type { Checked } from './run-checks.ts';

const STALE_AFTER_DAYS = 120;
const DAY_MS = 86_400_000;
const MICROS = 1_000_000;

export const formatRow = ({ call, by, failure, ms, costMicros }: Checked): string =>
  [
    failure === null ? 'ok    ' : 'FAILED',
    call.padEnd(20),
    `${(ms / 1_000).toFixed(1)} s`.padStart(8),
    (costMicros === null ? 'unknown' : `$${(costMicros / MICROS).toFixed(6)}`).padStart(11),
    ` ${by}`,
  ].join(' ');

export const HEADER = `result ${'call'.padEnd(20)} ${'time'.padStart(8)} ${'cost'.padStart(11)}  service`;

/** What follows the rows: each failure with what to do about it, each warning, and the sum. */
export function formatSummary(checked: readonly Checked[], { now }: { now: Date }): string[] {
  const failed = checked.filter(({ failure }) => failure !== null);
  const sum = checked.reduce((total, { costMicros }) => total + (costMicros ?? 0), 0);
  const warnings = checked.flatMap(({ warning }) => (warning === null ? [] : [warning]));
  return [
    ...failed.map(({ call, failure }) => `${call}: ${failure ?? ''}`),
    ...[...warnings, ...pricesWarning(now)].map((warning) => `Warning: ${warning}`),
    checked.length === 0
      ? 'No service is configured: coaches, scores of Azure and payments are off. The README lists the variables.'
      : `${checked.length - failed.length} of ${checked.length} calls went well; they cost about $${(sum / MICROS).toFixed(4)}.`,
  ];
}

/** Costs are counted by a list of ours: when a provider raises its prices, the daily limit triggers too late. */
export function pricesWarning(now: Date): string[] {
  const days = Math.floor((now.getTime() - Date.parse(PRICES_CHECKED_ON)) / DAY_MS);
  return days <= STALE_AFTER_DAYS
    ? []
    : [
        `The price list is ${days} days old (${PRICES_CHECKED_ON}). Compare it with the providers' pages, or update the server: AI_DAILY_LIMIT_USD is counted by it.`,
      ];
}

/** A last guard: whatever a service says, no configured secret is printed. */
export function withoutSecrets(line: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length >= 4).reduce((text, secret) => text.replaceAll(secret, '***'), line);
}
