/** Formats the table for the operator, without any secret. */
import { PRICES_CHECKED_ON } from '../metering/index.ts';
import type { CheckResult } from './run-checks.ts';

const STALE_AFTER_DAYS = 120;
const DAY_MS = 86_400_000;
const MICROS = 1_000_000;

export const formatRow = ({ call, serviceName, failure, ms, costMicros }: CheckResult): string =>
  [
    failure === null ? 'ok    ' : 'FAILED',
    call.padEnd(20),
    `${(ms / 1_000).toFixed(1)} s`.padStart(8),
    (costMicros === null ? 'unknown' : `$${(costMicros / MICROS).toFixed(6)}`).padStart(11),
    ` ${serviceName}`,
  ].join(' ');

export const HEADER = `result ${'call'.padEnd(20)} ${'time'.padStart(8)} ${'cost'.padStart(11)}  service`;

/** Lists each failure with its advice, each warning, and the total. */
export function formatSummary(checked: readonly CheckResult[], { now }: { now: Date }): string[] {
  const failed = checked.filter(({ failure }) => failure !== null);
  const sum = checked.reduce((total, { costMicros }) => total + (costMicros ?? 0), 0);
  const warnings = checked.flatMap(({ warning }) => (warning === null ? [] : [warning]));
  return [
    ...failed.map(({ call, failure }) => `${call}: ${failure ?? ''}`),
    ...[...warnings, ...priceListWarning(now)].map((warning) => `Warning: ${warning}`),
    checked.length === 0
      ? 'No service is configured: model coaches, Azure scores and payments are off. docs/configuration.md lists the variables.'
      : `${checked.length - failed.length} of ${checked.length} calls succeeded; they cost about $${(sum / MICROS).toFixed(4)}.`,
  ];
}

/** Costs are computed from our own price list, so the daily limit triggers too late after a provider raises its prices. */
export function priceListWarning(now: Date): string[] {
  const days = Math.floor((now.getTime() - Date.parse(PRICES_CHECKED_ON)) / DAY_MS);
  return days <= STALE_AFTER_DAYS
    ? []
    : [
        `The price list is ${days} days old (${PRICES_CHECKED_ON}). Compare it with the providers' pages, or update the server: it is the basis of AI_DAILY_LIMIT_USD.`,
      ];
}

/** As a last safeguard, removes configured secrets from whatever a service returned. */
export function redactSecrets(line: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length >= 4).reduce((text, secret) => text.replaceAll(secret, '***'), line);
}
