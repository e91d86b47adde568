/** Shows a post's Markdown, parsed as on the server, as elements. HTML in it is left out, and links leave the app. */
import { isMarkdownTooComplex } from '@parley/domain';
import { t } from '@parley/i18n';
import { Link } from '@tanstack/react-router';
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactElement, type ReactNode, useMemo } from 'react';
import { toOutsideAddress } from './outside-address.ts';
import css from './blog.module.css';

interface PostTextProps {
  content: string;
  /** The base of links to other pages of the server; null without a server. */
  serverAddress: string | null;
}

export function PostText({ content, serverAddress }: PostTextProps): ReactElement {
  const tokens = useMemo(() => (isMarkdownTooComplex(content) ? null : lexer(content, { gfm: true })), [content]);
  if (tokens === null) return <p className={css['text']}>{content}</p>;
  return <div className={css['text']}>{showAll(tokens, serverAddress)}</div>;
}

const showAll = (tokens: readonly Token[] | undefined, serverAddress: string | null): ReactNode =>
  (tokens ?? []).map((token, index) => (
    // A post does not change while it is shown.
    <Fragment key={index}>{show(token as MarkedToken, serverAddress)}</Fragment>
  ));

function show(token: MarkedToken, serverAddress: string | null): ReactNode {
  const inside = 'tokens' in token ? showAll(token.tokens, serverAddress) : null;
  switch (token.type) {
    case 'heading':
      // The title of the post is the heading of the screen.
      return createElement(`h${Math.min(Math.max(token.depth, 2), 4)}`, null, inside);
    case 'paragraph':
      return <p>{inside}</p>;
    case 'text':
      return token.tokens === undefined ? decodeEntities(token.text) : inside;
    case 'strong':
      return <strong>{inside}</strong>;
    case 'em':
      return <em>{inside}</em>;
    case 'del':
      return <del>{inside}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{inside}</blockquote>;
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        token.ordered && token.start !== '' ? { start: token.start } : null,
        showAll(token.items, serverAddress),
      );
    case 'list_item':
      return <li>{inside}</li>;
    case 'table':
      return <Table table={token} serverAddress={serverAddress} />;
    case 'link':
      return (
        <PostLink href={token.href} serverAddress={serverAddress}>
          {inside}
        </PostLink>
      );
    case 'image':
      // Pictures are on the server, whereas the app also shows posts offline.
      return token.text === '' ? null : (
        <span className={css['missing']}>{t('Picture: {alt}', { alt: decodeEntities(token.text) })}</span>
      );
    case 'escape':
      return token.text;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'checkbox':
    case 'def':
    case 'html':
    case 'space':
      return null;
    default:
      return token satisfies never;
  }
}

const Table = ({ table, serverAddress }: { table: Tokens.Table; serverAddress: string | null }): ReactElement => (
  <div className={css['wide']} tabIndex={0} role="region" aria-label={t('Table')}>
    <table>
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            <th key={index} scope="col">
              {showAll(cell.tokens, serverAddress)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{showAll(cell.tokens, serverAddress)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const POST_PATH = /^\/blog\/([a-z0-9-]{1,200})$/;

function PostLink(props: { href: string; serverAddress: string | null; children: ReactNode }): ReactNode {
  const slug = POST_PATH.exec(props.href)?.[1];
  if (slug !== undefined)
    return (
      <Link to="/blog/$slug" params={{ slug }}>
        {props.children}
      </Link>
    );
  const address = toOutsideAddress(props.href, props.serverAddress);
  if (address === null) return props.children;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {props.children}
    </a>
  );
}

/** Nothing in a parsed document is run or loaded. */
const decodeEntities = (text: string): string =>
  text.includes('&')
    ? (new DOMParser().parseFromString(text.replaceAll('<', '&lt;'), 'text/html').body.textContent ?? '')
    : text;
