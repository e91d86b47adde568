/** Reads `items[0][price]=price_1&expand[]=customer`, the form in which every call to Stripe carries its parameters. */
import { refuse } from './refused.ts';

export type Form = string | FormFields;
export interface FormFields {
  [name: string]: Form;
}

const MAX_DEPTH = 8;

export function decodeForm(text: string): FormFields {
  const root = emptyFields();
  for (const [name, value] of new URLSearchParams(text)) put(root, stepsOf(name), value);
  return root;
}

/** Without a prototype, so that `__proto__` is a name like any other. */
const emptyFields = (): FormFields => Object.create(null) as FormFields;

function stepsOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[');
  if (rest.length > MAX_DEPTH || rest.some((step) => !step.endsWith(']')))
    throw refuse(`Unreadable parameter name: ${name}`);
  return [head, ...rest.map((step) => step.slice(0, -1))];
}

function put(root: FormFields, steps: readonly string[], value: string): void {
  let fields = root;
  for (const [index, step] of steps.entries()) {
    // `a[]` takes the next free place of a list.
    const name = step === '' && index > 0 ? String(Object.keys(fields).length) : step;
    if (index === steps.length - 1) {
      fields[name] = value;
      return;
    }
    const inner = fields[name] ?? emptyFields();
    if (typeof inner === 'string') throw refuse(`Parameter is both a value and a hash: ${steps[0] ?? ''}`);
    fields[name] = inner;
    fields = inner;
  }
}
