/** How a form changes parts of its document. */
import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The result changes the document as it is when it is called, not as it was when it was rendered: a file may take
 * minutes to arrive, and what is typed in the meantime must stay.
 */
export function useSet<Document extends object>(
  document: Document,
  onChange: (document: Document) => void,
): (change: Partial<Document>) => void {
  const latest = useRef({ document, onChange });
  useLayoutEffect(() => {
    latest.current = { document, onChange };
  });
  return useCallback((change) => latest.current.onChange({ ...latest.current.document, ...change }), []);
}
