/**
 * Shows Markdown next to its field as the public site will show it: the site's own renderer also decides which HTML is
 * removed.
 */
import { t } from '@parley/i18n';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { ErrorBanner } from '../screen/screen.tsx';
import css from './markdown-preview.module.css';

const TYPING_PAUSE_MS = 300;

interface MarkdownPreviewProps {
  text: string;
  language: string;
  /** The field in which the text is being written. */
  children: ReactNode;
}

export function MarkdownPreview({ text, language, children }: MarkdownPreviewProps): ReactElement {
  const settled = useSettled(text);
  const rendered = useQuery({
    ...api.content.renderText.queryOptions({ input: { text: settled } }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <div className={css['beside']}>
      {children}
      <section className={css['preview']} aria-label={t('Preview')} tabIndex={0}>
        {rendered.isError && <ErrorBanner error={rendered.error} onRetry={() => void rendered.refetch()} />}
        {/* The server has removed everything but formatted text, and the panel's content policy allows no inline scripts anyway. */}
        <article
          lang={language}
          dir="auto"
          onClick={openBeside}
          dangerouslySetInnerHTML={{ __html: rendered.data?.html ?? '' }}
        />
      </section>
    </div>
  );
}

/** The text after typing has paused, because otherwise each key press would query the server. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** A click on a link must not replace the page with the text that is being written. */
function openBeside(event: React.MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  globalThis.open(link.href, '_blank', 'noopener');
}
