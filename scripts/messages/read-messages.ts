/** Reads the messages that the sources use: the first argument of `t()`, and the id of <Trans>. */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** The app, the server's pages and the mail, which share a catalogue. */
const SHARED_SOURCES = [
  'desktop/src/renderer',
  'packages/ui/src',
  'packages/domain/src',
  'packages/contract/src/server',
  'sync-server/src/web',
  'sync-server/src/site',
  'sync-server/src/school/site-texts',
  'sync-server/src/mail',
  'sync-server/src/http',
];

/** Only the panel explains what is wrong with documents. */
const PANEL_ONLY = 'packages/domain/src/content/explanations';

/** The admin panel, with the parts of the packages that it shows. */
export const PANEL_SOURCES = [
  'sync-server/admin/src',
  'packages/ui/src',
  'packages/domain/src',
  'packages/contract/src/server',
];

export interface MessageUse {
  message: string;
  file: string;
  /** Whether the message is formatted at once, and without values. */
  isFormattedBare: boolean;
}

type AnyNode = { type: string; [key: string]: unknown };
const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as AnyNode).type === 'string';

/** The text of a literal, or of literals joined by `+`. */
function literalText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'JSXExpressionContainer') return literalText(node['expression']);
  if (node.type === 'TemplateLiteral' && (node['expressions'] as unknown[]).length === 0)
    return (node['quasis'] as { value: { cooked: string } }[])[0]?.value.cooked ?? null;
  return null;
}

type Report = (use: Omit<MessageUse, 'file'>) => void;

function visit(node: AnyNode, report: Report): void {
  if (node.type === 'CallExpression') {
    const callee = node['callee'] as AnyNode;
    // The server passes on the translator of a request, so it also calls `words.t()`.
    const called = callee.type === 'MemberExpression' ? (callee['property'] as AnyNode) : callee;
    const name = called.type === 'Identifier' ? called['name'] : null;
    const given = node['arguments'] as unknown[];
    const text = name === 't' || name === 'msg' ? literalText(given[0]) : null;
    if (text !== null) report({ message: text, isFormattedBare: name === 't' && given.length === 1 });
  }
  if (node.type === 'JSXOpeningElement' && (node['name'] as AnyNode)['name'] === 'Trans') {
    const id = (node['attributes'] as AnyNode[]).find((attribute) => (attribute['name'] as AnyNode)['name'] === 'id');
    const text = id === undefined ? null : literalText(id['value']);
    if (text !== null) report({ message: text, isFormattedBare: false });
  }
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, report);
}

export async function readMessages(
  rootDir: string,
  sources: readonly string[] = SHARED_SOURCES,
): Promise<MessageUse[]> {
  const uses: MessageUse[] = [];
  for (const folder of sources) {
    const files = await readdir(join(rootDir, folder), { recursive: true });
    for (const name of files
      .filter((each) => /\.tsx?$/.test(each) && !/\.(test|suite)\.|\.d\.ts$/.test(each))
      .toSorted()) {
      const file = join(folder, name);
      if (sources === SHARED_SOURCES && file.startsWith(PANEL_ONLY)) continue;
      const { program } = parseSync(file, readFileSync(join(rootDir, file), 'utf8'), { sourceType: 'module' });
      visit(program as unknown as AnyNode, (use) => uses.push({ ...use, file }));
    }
  }
  return uses;
}

/** Each message once, in alphabetical order. */
export const toUniqueMessages = (uses: readonly MessageUse[]): string[] =>
  [...new Set(uses.map(({ message }) => message))].toSorted((a, b) => a.localeCompare(b, 'en'));

export const uniqueMessages = async (rootDir: string, sources?: readonly string[]): Promise<string[]> =>
  toUniqueMessages(await readMessages(rootDir, sources));
