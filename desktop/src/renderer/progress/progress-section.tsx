/** A plot with its title, its numbers as CSV and its picture as PNG. */
import { t } from '@parley/i18n';
import { Button, Row } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useId, useRef } from 'react';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import css from './progress.module.css';
import { saveCsv, savePng } from './save-file.ts';

/** The file name's beginning, the same in every language. */
const FORMATS = { csv: 'CSV', png: 'PNG' } as const;

export interface ProgressSectionProps {
  title: string;
  /** The file name without extension. */
  fileName: string;
  /** Header and rows of the CSV. */
  csv: () => Promise<unknown[][]> | unknown[][];
  /** A table has no picture. */
  hasPicture: boolean;
  children: ReactNode;
}

export function ProgressSection(props: ProgressSectionProps): ReactElement {
  const { title, fileName, csv, hasPicture, children } = props;
  const section = useRef<HTMLElement>(null);
  const id = useId();
  const saveNumbers = useMutation({ mutationFn: async () => saveCsv(fileName, await csv()) });
  const savePicture = useMutation({
    mutationFn: async () => {
      if (section.current !== null) await savePng(fileName, section.current);
    },
  });
  const failure = saveNumbers.error ?? savePicture.error;
  return (
    <section ref={section} className={css['section']} aria-labelledby={id}>
      <Row spread>
        <h2 id={id}>{title}</h2>
        <div className={css['saves']} role="group" aria-label={t('Save “{title}”', { title })}>
          <Button variant="quiet" onPress={() => saveNumbers.mutate()}>
            {FORMATS.csv}
          </Button>
          {hasPicture && (
            <Button variant="quiet" onPress={() => savePicture.mutate()}>
              {FORMATS.png}
            </Button>
          )}
        </div>
      </Row>
      {children}
      {failure !== null && <ErrorBanner error={failure} />}
    </section>
  );
}
