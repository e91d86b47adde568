/** A learner's report of a practice: it links to the reported line, and can be closed. */
import { t } from '@parley/i18n';
import { type AttentionItem, CLOSED_REPORT_RETENTION_DAYS } from '@parley/contract';
import { Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { formatAge } from '../foundation/screen/format.ts';
import table from '../foundation/screen/table.module.css';
import { KindCell } from './kind-cell.tsx';

export function ReportRow({
  item: { contentId = '', report, name, detail, since },
}: {
  item: AttentionItem;
}): ReactElement {
  const navigate = useNavigate();
  const [isClosing, setClosing] = useState(false);
  const { reportId = '', node = null, line = null } = report ?? {};
  return (
    <tr>
      <KindCell icon="reports" name={t('Report')} />
      <td>
        <bdi>
          <b>{name ?? t('A practice')}</b>
        </bdi>
        {line !== null && (
          <div className={table['small']}>
            <span lang="en" dir="ltr">
              “{line}”
            </span>
          </div>
        )}
      </td>
      <td>
        <span dir="auto">{t('A learner: “{text}”', { text: detail ?? '' })}</span>
      </td>
      <td className={table['quiet']}>{formatAge(since)}</td>
      <td className={table['end']}>
        <span className={table['buttons']}>
          <Button
            onPress={() =>
              void navigate({
                to: '/practices/$id',
                params: { id: contentId },
                search: { part: 'dialogue', ...(node === null ? {} : { step: node }) },
              })
            }
          >
            {t('Open the dialogue')}
          </Button>
          <Button variant="quiet" onPress={() => setClosing(true)}>
            {t('Close')}
          </Button>
        </span>
        {isClosing && (
          <ActionDialog
            title={t('Close this report?')}
            confirmLabel={t('Close the report')}
            run={() => client.admin.closePracticeReport({ reportId })}
            onClose={() => setClosing(false)}
          >
            <p>
              {t('It disappears from this list and is deleted after {count} days. The learner isn’t notified.', {
                count: CLOSED_REPORT_RETENTION_DAYS,
              })}
            </p>
          </ActionDialog>
        )}
      </td>
    </tr>
  );
}
