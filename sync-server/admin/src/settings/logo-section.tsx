/** The school's logo, which appears next to its name on its pages. */
import type { SchoolLogo } from '@parley/domain';
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import table from '../foundation/screen/table.module.css';
import { toLogo } from './logo-picture.ts';
import css from './brand.module.css';

const LOGO_TYPES = 'image/png,image/jpeg,image/webp,image/svg+xml';
const SHOWN_HEIGHT = 40;

export function LogoSection({ logo }: { logo: SchoolLogo | null }): ReactElement {
  const id = useId();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (picture: string | null) => client.admin.saveLogo({ picture }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const choose = async (file: File): Promise<void> => {
    save.reset();
    setProblem(null);
    try {
      save.mutate(await toLogo(file));
    } catch {
      setProblem(
        t('“{name}” isn’t a picture that this browser can read. Choose a PNG, JPEG, WebP or SVG file.', {
          name: file.name,
        }),
      );
    }
  };
  return (
    <section className={table['section']}>
      <h2 id={id}>{t('Logo')}</h2>
      <p id={`${id}-about`}>{t('It appears beside the name of your school on every page of this server.')}</p>
      {logo !== null && (
        <div className={css['logo']}>
          <img
            src={logo.path}
            alt={t('The logo')}
            width={Math.round((SHOWN_HEIGHT * logo.width) / logo.height)}
            height={SHOWN_HEIGHT}
          />
        </div>
      )}
      <input
        type="file"
        accept={LOGO_TYPES}
        aria-labelledby={id}
        aria-describedby={`${id}-about`}
        disabled={save.isPending}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void choose(file);
          target.value = '';
        }}
      />
      {problem !== null && <p role="alert">{problem}</p>}
      {save.isError && <p role="alert">{errorSentence(save.error)}</p>}
      {save.isSuccess && <Banner>{logo === null ? t('Logo removed.') : t('Logo saved.')}</Banner>}
      {logo !== null && (
        <div className={table['buttons']}>
          <Button onPress={() => save.mutate(null)} isDisabled={save.isPending}>
            {t('Remove the logo')}
          </Button>
        </div>
      )}
    </section>
  );
}
