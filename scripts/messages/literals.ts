/**
 * Replaces the English literals of a screen with messages: text that is mixed with elements becomes <Trans>, everything
 * else `t()`.
 */
import { parseSync } from 'vite';
import {
  isHumanText,
  isSpokenAttribute,
  isUntranslated,
  isUntranslatedCall,
  isUntranslatedConstant,
} from './human-text.ts';
import { childrenOf, decode, jsxText, nameOf, type Node, quote } from './syntax.ts';

interface Message {
  id: string;
  values: Map<string, string>;
  components: string[];
}

class Converter {
  readonly source: string;
  usesT = false;
  usesTrans = false;

  constructor(source: string) {
    this.source = source;
  }

  slice(node: Node): string {
    return this.source.slice(node.start, node.end);
  }

  /** The node's source, with the literals inside replaced. */
  render(node: Node): string {
    const special = this.renderSpecial(node);
    if (special !== null) return special;
    let out = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      if (child.start < at) continue;
      out += this.source.slice(at, child.start) + this.renderChild(node, child);
      at = child.end;
    }
    return out + this.source.slice(at, node.end);
  }

  private renderChild(parent: Node, child: Node): string {
    if (parent.type === 'Property' && parent['key'] === child && parent['shorthand'] !== true) return this.slice(child);
    if (parent.type === 'MemberExpression' && parent['property'] === child) return this.slice(child);
    if (parent.type === 'BinaryExpression' && parent['operator'] !== '+') return this.slice(child);
    if (parent.type === 'SwitchCase' && parent['test'] === child) return this.slice(child);
    return this.render(child);
  }

  private renderSpecial(node: Node): string | null {
    if (
      [
        'ImportDeclaration',
        'ExportAllDeclaration',
        'ThrowStatement',
        'TSTypeAliasDeclaration',
        'TSInterfaceDeclaration',
      ].includes(node.type)
    )
      return this.slice(node);
    if (
      node.type.startsWith('TS') &&
      !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
    )
      return this.slice(node);
    if (node.type === 'VariableDeclarator' && isUntranslatedConstant(nameOf(node['id']))) return this.slice(node);
    if (node.type === 'ExpressionStatement' && typeof node['directive'] === 'string') return this.slice(node);
    if (
      (node.type === 'CallExpression' || node.type === 'NewExpression') &&
      isUntranslatedCall(this.slice(node['callee'] as Node))
    )
      return this.slice(node);
    if (node.type === 'JSXAttribute') return this.renderAttribute(node);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') return this.renderElement(node);
    if (node.type === 'Literal' && typeof node['value'] === 'string') {
      if (!isHumanText(node['value'])) return this.slice(node);
      this.usesT = true;
      return `t(${quote(node['value'])})`;
    }
    if (node.type === 'TemplateLiteral') return this.renderTemplate(node);
    return null;
  }

  private renderAttribute(node: Node): string {
    const name = this.slice(node['name'] as Node);
    const value = node['value'] as Node | null;
    if (value === null || !isSpokenAttribute(name)) {
      // Nested elements, such as an action, are still converted.
      return value !== null && value.type === 'JSXExpressionContainer' && this.slice(value).includes('<')
        ? `${name}=${this.render(value)}`
        : name.startsWith('on') && value !== null
          ? `${name}=${this.render(value)}`
          : this.slice(node);
    }
    if (value.type === 'Literal') {
      if (!/\p{L}/u.test(String(value['value']))) return this.slice(node);
      this.usesT = true;
      return `${name}={t(${quote(decode(String(value['value'])))})}`;
    }
    return `${name}=${this.render(value)}`;
  }

  private renderTemplate(node: Node): string {
    const quasis = node['quasis'] as { value: { cooked: string } }[];
    const expressions = node['expressions'] as Node[];
    if (!isHumanText(quasis.map(({ value }) => value.cooked).join('0'), true)) {
      let out = '`';
      quasis.forEach(({ value }, index) => {
        out += (value as unknown as { raw: string }).raw;
        const expression = expressions[index];
        if (expression !== undefined) out += `\${${this.render(expression)}}`;
      });
      return `${out}\``;
    }
    const message: Message = { id: '', values: new Map(), components: [] };
    quasis.forEach(({ value }, index) => {
      message.id += value.cooked;
      const expression = expressions[index];
      if (expression !== undefined) message.id += this.placeholder(expression, message);
    });
    return this.call(message);
  }

  private call({ id, values }: Message): string {
    this.usesT = true;
    if (values.size === 0) return `t(${quote(id)})`;
    return `t(${quote(id)}, { ${[...values].map(([key, value]) => (key === value ? key : `${key}: ${value}`)).join(', ')} })`;
  }

  private placeholder(expression: Node, message: Message): string {
    const value = this.render(expression);
    const base = this.nameOf(expression);
    let name = base;
    for (let count = 2; message.values.has(name) && message.values.get(name) !== value; count++)
      name = `${base}${count}`;
    message.values.set(name, value);
    return `{${name}}`;
  }

  private nameOf(expression: Node): string {
    if (expression.type === 'Identifier') return String(expression['name']);
    if (expression.type === 'MemberExpression') {
      const property = expression['property'] as Node;
      if (property.type === 'Identifier' && expression['computed'] !== true)
        return property['name'] === 'length' ? 'count' : String(property['name']);
      return property.type === 'Literal' ? this.nameOf(expression['object'] as Node) : 'name';
    }
    if (expression.type === 'ChainExpression' || expression.type === 'TSNonNullExpression')
      return this.nameOf(expression['expression'] as Node);
    if (expression.type === 'CallExpression') {
      const [first] = expression['arguments'] as Node[];
      const callee = expression['callee'] as Node;
      if (callee.type === 'MemberExpression' && !this.slice(callee).startsWith('Math.'))
        return this.nameOf(callee['object'] as Node);
      return first === undefined ? 'value' : this.nameOf(first);
    }
    return 'value';
  }

  private renderElement(node: Node): string {
    const children = (node['children'] as Node[] | undefined) ?? [];
    const opening = (node['openingElement'] ?? node['openingFragment']) as Node;
    const closing = (node['closingElement'] ?? node['closingFragment'] ?? null) as Node | null;
    const head = node.type === 'JSXFragment' ? this.slice(opening) : this.renderOpening(opening);
    return head + this.renderChildren(children) + (closing === null ? '' : this.slice(closing));
  }

  private renderOpening(opening: Node): string {
    let out = '';
    let at = opening.start;
    for (const attribute of opening['attributes'] as Node[]) {
      out += this.source.slice(at, attribute.start) + this.render(attribute);
      at = attribute.end;
    }
    return out + this.source.slice(at, opening.end);
  }

  private hasElement(node: Node): boolean {
    return (
      node.type === 'JSXElement' ||
      node.type === 'JSXFragment' ||
      childrenOf(node).some((child) => this.hasElement(child))
    );
  }

  /** Something conditional or repeated is between two messages and part of neither. */
  private isSeparator(child: Node): boolean {
    if (child.type !== 'JSXExpressionContainer') return false;
    const expression = child['expression'] as Node;
    return (
      expression.type === 'LogicalExpression' ||
      (expression.type !== 'JSXEmptyExpression' && this.hasElement(expression))
    );
  }

  private renderChildren(children: Node[]): string {
    let out = '';
    let run: Node[] = [];
    const flush = (): void => {
      if (run.length > 0) out += this.renderRun(run);
      run = [];
    };
    for (const child of children) {
      if (this.isSeparator(child)) {
        flush();
        out += this.render(child);
      } else run.push(child);
    }
    flush();
    return out;
  }

  private renderRun(run: Node[]): string {
    const hasText = run.some(
      (child) =>
        child.type === 'JSXText' && /\p{L}/u.test(String(child['value'])) && !isUntranslated(String(child['value'])),
    );
    if (!hasText)
      return run.map((child) => (child.type === 'JSXText' ? this.slice(child) : this.render(child))).join('');
    const message: Message = { id: '', values: new Map(), components: [] };
    for (const child of run) message.id += this.part(child, message);
    const lead = /^\s/.test(message.id) ? "{' '}" : '';
    const tail = /\s$/.test(message.id) ? "{' '}" : '';
    message.id = message.id.trim();
    if (message.components.length === 0) return `${lead}{${this.call(message)}}${tail}`;
    this.usesTrans = true;
    const values =
      message.values.size === 0
        ? ''
        : ` values={{ ${[...message.values].map(([key, value]) => (key === value ? key : `${key}: ${value}`)).join(', ')} }}`;
    const components = ` components={{ ${message.components.map((component, index) => `${index}: ${component}`).join(', ')} }}`;
    const id = message.id.includes('"') ? `id={${quote(message.id)}}` : `id="${message.id}"`;
    return `${lead}<Trans ${id}${values}${components} />${tail}`;
  }

  private part(child: Node, message: Message): string {
    if (child.type === 'JSXText') return decode(jsxText(String(child['value'])));
    if (child.type === 'JSXExpressionContainer') {
      const expression = child['expression'] as Node;
      if (expression.type === 'JSXEmptyExpression') return '';
      if (expression.type === 'Literal' && typeof expression['value'] === 'string') return expression['value'];
      return this.placeholder(expression, message);
    }
    const index = message.components.length;
    const opening = child['openingElement'] as Node;
    const head = this.renderOpening(opening);
    message.components.push(opening['selfClosing'] === true ? head : `${head.slice(0, -1)} />`);
    if (opening['selfClosing'] === true) return `<${index}/>`;
    const inner = (child['children'] as Node[]).map((each) => this.part(each, message)).join('');
    return `<${index}>${inner}</${index}>`;
  }
}

/** The source with its literals in the catalogue; unchanged when there are none. */
export function convertLiterals(file: string, source: string): string {
  const { program } = parseSync(file, source, { sourceType: 'module' });
  const converter = new Converter(source);
  const body = program as unknown as Node;
  let out = source.slice(0, body.start) + converter.render(body) + source.slice(body.end);
  const addImport = (name: string, from: string): void => {
    if (new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '${from}'`).test(out)) return;
    const at = /^(?:\/\*[\s\S]*?\*\/\s*)?/.exec(out)?.[0].length ?? 0;
    out = `${out.slice(0, at)}import { ${name} } from '${from}';\n${out.slice(at)}`;
  };
  if (converter.usesTrans) addImport('Trans', '@lingui/react');
  if (converter.usesT) addImport('t', '@parley/i18n');
  return out;
}
