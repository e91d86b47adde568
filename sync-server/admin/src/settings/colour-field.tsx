/** The school's colour, how it looks on light and dark pages, and how it was adjusted to be readable. */
import { BRAND_COLOUR, brandColours } from '@parley/domain';
import { t } from '@parley/i18n';
import { Switch } from '@parley/ui';
import { type ReactElement, useId } from 'react';
import table from '../foundation/screen/table.module.css';
import css from './brand.module.css';

/** The initial colour of the picker. */
const FIRST_COLOUR = '#2f49c9';

export function ColourField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (colour: string | null) => void;
}): ReactElement {
  const id = useId();
  return (
    <>
      <Switch isSelected={value !== null} onChange={(isOwn) => onChange(isOwn ? FIRST_COLOUR : null)}>
        {t('A colour of our own')}
      </Switch>
      {value !== null && (
        <div className={css['colour']}>
          <label className={table['label']} htmlFor={id}>
            {t('Colour of buttons on pages and in e-mails')}
          </label>
          <input
            id={id}
            type="color"
            value={value}
            onChange={({ target }) => {
              if (BRAND_COLOUR.test(target.value)) onChange(target.value);
            }}
          />
          <Samples colour={value} />
        </div>
      )}
    </>
  );
}

function Samples({ colour }: { colour: string }): ReactElement {
  const { light, dark } = brandColours(colour);
  return (
    <>
      <div className={css['samples']} aria-hidden="true">
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme} className={css[theme]}>
            <span style={{ backgroundColor: theme === 'light' ? light : dark }}>{t('A button')}</span>
          </div>
        ))}
      </div>
      {light !== colour && (
        <p className={table['small']}>
          {t('{colour} is too pale to be read on a light page. {shade} is used there.', { colour, shade: light })}
        </p>
      )}
      {dark !== colour && (
        <p className={table['small']}>
          {t('{colour} is too dark to be read on a dark page. {shade} is used there.', { colour, shade: dark })}
        </p>
      )}
    </>
  );
}
