/** Writes the variables of the server as a Markdown table. */
import { Environment } from './environment.ts';

const [START, END] = ['<!-- server variables -->', '<!-- /server variables -->'];

function describeVariables(): string {
  const rows = Object.entries(Environment.shape).map(([name, variable]) => {
    const byDefault: unknown = variable.safeParse(undefined).data;
    const shown = typeof byDefault === 'string' || typeof byDefault === 'number' ? `\`${byDefault}\`` : '';
    return `| \`${name}\` | ${shown} | ${variable.description ?? ''} |`;
  });
  return ['| variable | default | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Replaces the generated part of `docs/configuration.md`. */
export function updateConfigurationDocument(document: string): string {
  const [start, end] = [document.indexOf(START), document.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`docs/configuration.md needs ${START} and ${END}.`);
  return `${document.slice(0, start + START.length)}\n\n${describeVariables()}\n\n${document.slice(end)}`;
}
