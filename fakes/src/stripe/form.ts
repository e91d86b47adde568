/** Decodes `items[0][price]=price_1&expand[]=customer`, the format of all parameters sent to Stripe. */
import { invalidRequest } from './api-error.ts';

export type Form = string | FormFields;
export interface FormFields {
  [name: string]: Form;
}

const MAX_DEPTH = 8;

export function decodeForm(text: string): FormFields {
  const root = emptyFields();
  for (const [name, value] of new URLSearchParams(text)) setValue(root, parseName(name), value);
  return root;
}

/** Without a prototype, `__proto__` is a name like any other. */
const emptyFields = (): FormFields => Object.create(null) as FormFields;

function parseName(name: string): string[] {
  const [head = '', ...rest] = name.split('[');
  if (rest.length > MAX_DEPTH || rest.some((segment) => !segment.endsWith(']')))
    throw invalidRequest(`Unreadable parameter name: ${name}`);
  return [head, ...rest.map((segment) => segment.slice(0, -1))];
}

function setValue(root: FormFields, segments: readonly string[], value: string): void {
  let fields = root;
  for (const [index, segment] of segments.entries()) {
    // `a[]` appends to the list.
    const name = segment === '' && index > 0 ? String(Object.keys(fields).length) : segment;
    if (index === segments.length - 1) {
      fields[name] = value;
      return;
    }
    const inner = fields[name] ?? emptyFields();
    if (typeof inner === 'string') throw invalidRequest(`Parameter is both a value and a hash: ${segments[0] ?? ''}`);
    fields[name] = inner;
    fields = inner;
  }
}
