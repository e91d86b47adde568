/** Finds English text inside the `html` templates of the server's pages, which `convertLiterals` does not read. */
import { parseSync } from 'vite';
import { isUntranslated } from './human-text.ts';
import { childrenOf, nameOf, type Node } from './syntax.ts';

/** The English that is practised is English in every language; styles and code are not text. */
const NO_TEXT = /<(\w+)[^>]*\blang="en"[^>]*>.*?<\/\1>|<(style|script|code)\b.*?<\/\2>|<!--.*?-->/gs;
const EXPRESSION = '\uE000';
const BETWEEN_TEXTS = /<[^>]*>|\uE000/;
const SPOKEN_ATTRIBUTE = /\s(?:alt|title|placeholder|aria-label)="([^"\uE000]+)/g;

function literalsOf(node: Node, literals: string[]): void {
  if (node.type === 'TaggedTemplateExpression' && nameOf(node['tag']) === 'html') {
    const { quasis } = node['quasi'] as { quasis: { value: { raw: string } }[] };
    const markup = quasis.map(({ value }) => value.raw).join(EXPRESSION);
    const spoken = [...markup.matchAll(SPOKEN_ATTRIBUTE)].map(([, text = '']) => text);
    for (const text of [...spoken, ...markup.replaceAll(NO_TEXT, '<br>').split(BETWEEN_TEXTS)]) {
      const words = text.trim().replaceAll(/&\w+;/g, '');
      if (/\p{L}{2}/u.test(words) && !isUntranslated(words)) literals.push(words);
    }
  }
  for (const child of childrenOf(node)) literalsOf(child, literals);
}

export function findHtmlLiterals(file: string, source: string): string[] {
  const { program } = parseSync(file, source, { sourceType: 'module' });
  const literals: string[] = [];
  literalsOf(program as unknown as Node, literals);
  return literals;
}
