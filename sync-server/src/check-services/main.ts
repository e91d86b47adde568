/** Runs `npm run check-services`, which makes one cheap call of each kind and fails when a service does not work. */
import { readConfig } from '../compose/config/read-config.ts';
import { SECRET_VARIABLES } from '../compose/config/secret-variables.ts';
import { formatRow, formatSummary, HEADER, redactSecrets } from './report.ts';
import { type CheckResult, runChecks } from './run-checks.ts';

const secrets = SECRET_VARIABLES.flatMap((name) => process.env[name] ?? []);
const print = (line: string): void => console.log(redactSecrets(line, secrets));

const config = ((): ReturnType<typeof readConfig> => {
  try {
    return readConfig(process.env);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
})();

const checked: CheckResult[] = [];
print(HEADER);
for await (const one of runChecks({ config })) {
  checked.push(one);
  print(formatRow(one));
}
print('');
for (const line of formatSummary(checked, { now: new Date() })) print(line);
process.exit(checked.some(({ failure }) => failure !== null) ? 1 : 0);
