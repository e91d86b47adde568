/** Makes one cheap call of each kind to every configured service, and prints the results. */
import type { Config } from '../compose/config/config.ts';
import { formatRow, formatSummary, HEADER, redactSecrets } from './report.ts';
import { type CheckResult, runChecks } from './run-checks.ts';

export interface ServiceCheck {
  config: Config;
  /** Secrets that are never printed, whatever a service answers. */
  secrets: readonly string[];
  print: (line: string) => void;
}

/** Returns the number of failed calls. */
export async function checkServices({ config, secrets, print }: ServiceCheck): Promise<number> {
  const printSafely = (line: string): void => print(redactSecrets(line, secrets));
  const checked: CheckResult[] = [];
  printSafely(HEADER);
  for await (const one of runChecks({ config })) {
    checked.push(one);
    printSafely(formatRow(one));
  }
  printSafely('');
  for (const line of formatSummary(checked, { now: new Date() })) printSafely(line);
  return checked.filter(({ failure }) => failure !== null).length;
}
