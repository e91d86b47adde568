/** A course as learners will see it, including unsaved edits, and which parts of it they will not see yet. */
import { t } from '@parley/i18n';
import type { CourseDocument, CourseItem } from '@parley/domain';
import { Badge, Button, Dialog } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { client } from '../../foundation/api/client.ts';
import { QueryView } from '../../foundation/screen/screen.tsx';
import { KINDS } from '../kinds.ts';
import css from '../content.module.css';

export function CoursePreview({ document, onClose }: { document: CourseDocument; onClose: () => void }): ReactElement {
  const items = document.sections.flatMap((section) => section.items);
  const contents = useQuery({
    queryKey: ['content', 'course-preview', items],
    queryFn: () => Promise.all(items.map(({ kind, itemId }) => client.content.read({ kind, id: itemId }))),
  });
  return (
    <Dialog title={t('As learners see it')} isOpen onClose={onClose}>
      <h2>
        <bdi>{document.title === '' ? KINDS.course.untitled : document.title}</bdi>
      </h2>
      {document.status === 'coming_soon' && <p>{t('Learners see only its title, and that it isn’t ready yet.')}</p>}
      <p>{document.description}</p>
      <QueryView query={contents}>
        {(known) => (
          <>
            {document.sections.map((section, index) => (
              <section key={section.sectionId}>
                <h3>
                  {index + 1}. <bdi>{section.title}</bdi>
                </h3>
                <p>{section.description}</p>
                <ol className={css['changes']}>
                  {section.items.map((item) => (
                    <Item key={`${item.kind}${item.itemId}`} item={item} known={known} />
                  ))}
                </ol>
              </section>
            ))}
          </>
        )}
      </QueryView>
      <div className={css['buttons']}>
        <Button variant="primary" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  );
}

type Known = Awaited<ReturnType<typeof client.content.read>>;

function Item({ item, known }: { item: CourseItem; known: readonly Known[] }): ReactElement {
  const content = known.find(({ id }) => id === item.itemId);
  const seen = content?.published ?? content?.document;
  const title = seen === undefined || !('title' in seen) ? t('No longer available') : seen.title;
  return (
    <li>
      <bdi>{title === '' ? KINDS[item.kind].untitled : title}</bdi> ({KINDS[item.kind].one}){' '}
      {content?.state !== 'published' && <Badge>{t('not published yet')}</Badge>}
    </li>
  );
}
