/**
 * Lets secrets come from files, as Docker and Kubernetes mount them: `SECRET_FILE=/run/secrets/parley` replaces
 * `SECRET`.
 */
import { readFileSync } from 'node:fs';
import { SECRET_VARIABLES } from './secret-variables.ts';

const MAX_SECRET_CHARACTERS = 65_536;

/** Returns the environment with each `NAME_FILE` of a secret read into `NAME`. Throws a sentence for the operator. */
export function readSecretFiles(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  const secrets = SECRET_VARIABLES.flatMap((name): [string, string][] => {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') return [];
    if ((environment[name] ?? '') !== '') throw new Error(`Set either ${name} or ${name}_FILE, not both.`);
    return [[name, readSecret(`${name}_FILE`, file)]];
  });
  return { ...environment, ...Object.fromEntries(secrets) };
}

function readSecret(variable: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`${variable}: ${file} cannot be read (${reason}).`, { cause: error });
  }
  // Editors and `echo` end a file with a line break that is not part of the secret.
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`${variable}: ${file} is empty.`);
  if (secret.length > MAX_SECRET_CHARACTERS || secret.includes('\n'))
    throw new Error(`${variable}: ${file} must contain one line with the secret and nothing else.`);
  return secret;
}
