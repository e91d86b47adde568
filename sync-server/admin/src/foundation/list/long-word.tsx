import { Fragment, type ReactElement } from 'react';

/** An address or a technical name in a narrow column: it breaks after `@` and `_`, or before a dot, rather than in the middle of a word. */
export function LongWord({ children }: { children: string }): ReactElement {
  return (
    <bdi>
      {children.split(/(?<=[@_])|(?=\.[\p{L}\p{N}])/u).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
