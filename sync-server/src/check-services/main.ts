/** `npm run check-services`: makes one cheap call of each kind to the services in the environment, and fails when one does not work. */
import { readConfig } from '../app/config.ts';
import { SECRET_VARIABLES } from '../app/secret-variables.ts';
import { formatRow, formatSummary, HEADER, withoutSecrets } from './report.ts';
import { type Checked, runChecks } from './run-checks.ts';

const secrets = SECRET_VARIABLES.flatMap((name) => process.env[name] ?? []);
const print = (line: string): void => console.log(withoutSecrets(line, secrets));

const config = ((): ReturnType<typeof readConfig> => {
  try {
    return readConfig(process.env);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
})();

const checked: Checked[] = [];
print(HEADER);
for await (const one of runChecks({ config })) {
  checked.push(one);
  print(formatRow(one));
}
print('');
for (const line of formatSummary(checked, { now: new Date() })) print(line);
process.exit(checked.some(({ failure }) => failure !== null) ? 1 : 0);
