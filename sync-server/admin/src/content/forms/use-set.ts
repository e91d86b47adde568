/** Lets a form change parts of its document. */
import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The returned function changes the document as it is when called, not as it was when rendered: a file may take minutes
 * to arrive, and edits made in the meantime must be kept.
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
