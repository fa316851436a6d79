/** The page of a person's account (D-236). */
import type { ComponentChildren } from 'preact';
import { accountUi, type BaseContext, pageUi, renderDocument, SendOnce } from '../document.tsx';
import { TimeIn } from '../local-time.tsx';
import type { Activity } from './activity-parts.tsx';
import { Consoles, Paid, Wallet } from './activity-sections.tsx';
import { Part } from './part.tsx';
import { Amount } from '../../view/amount.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import { scopeWords } from './render-consent.tsx';
import { LimitFields, type TypedLimits } from './limit-fields.tsx';
import { type Said, SaidBox } from './said-box.tsx';

export interface AccountContext extends BaseContext {
  person: { name: string; email: string };
  factors: {
    totp: boolean;
    passkeys: { credential_id: string; created_at: string }[];
    recovery_codes: number;
  };
  /** Whether passkeys can be used at this address. */
  passkeys_possible: boolean;
  sessions: {
    session_id: string;
    browser: string;
    system: string;
    address: string;
    since: string;
    last_used: string;
    current: boolean;
  }[];
  apps: {
    client_id: string;
    client: string;
    merchant: string | null;
    scopes: readonly string[];
    limits: TypedLimits | null;
  }[];
  /** The balance and the payments of the person. */
  activity: Activity;
  said?: Said | undefined;
}

/** A person's account: plain forms, each posted to an address of its own below `{base_path}/account`. */
export function renderAccount(page: AccountContext): string {
  const { t } = accountUi(page);
  return renderDocument({
    page,
    title: t('account'),
    inLanguage: (locale) => `${page.base_path}/account?lang=${locale}`,
    script: 'passkeys',
    children: (
      <main class="single stack">
        <h1>{t('account')}</h1>
        <SaidBox page={page} said={page.said} />
        <form class="row" method="post" action={`${page.base_path}/sign-out`}>
          <span>{t('signed_in', { name: page.person.name })}</span>
          <button class="link" type="submit">
            {t('sign_out')}
          </button>
        </form>
        <Consoles page={page} />
        <Wallet page={page} />
        <Paid page={page} />
        <Apps page={page} />
        <Profile page={page} />
        <Password page={page} />
        <Factors page={page} />
        <Sessions page={page} />
        <SendOnce page={page} />
      </main>
    ),
  });
}

interface PartProps {
  page: AccountContext;
}

/** One field with its label. Its id names the form as well, because several forms have the same fields. */
function Field(props: {
  id: string;
  label: string;
  name: string;
  type?: 'text' | 'password';
  autocomplete?: string;
  value?: string;
  minlength?: number;
}) {
  const { id, label, type = 'text', ...input } = props;
  return (
    <>
      <label for={id}>{label}</label>
      {type === 'text' ? (
        <input {...input} id={id} type="text" required dir="auto" />
      ) : (
        <input {...input} id={id} type="password" required dir="ltr" />
      )}
    </>
  );
}

function PresentPassword({ page, of }: { page: BaseContext; of: string }) {
  const { t } = accountUi(page);
  return (
    <Field
      id={`${of}-password`}
      label={t('password_now')}
      name="password"
      type="password"
      autocomplete="current-password"
    />
  );
}

function Profile({ page }: PartProps) {
  const { t } = accountUi(page);
  const { name, email } = page.person;
  return (
    <Part id="profile" title={t('name')}>
      <form class="fields" method="post" action={`${page.base_path}/account/name`}>
        <Field id="name" label={t('name')} name="name" autocomplete="name" value={name} />
        <button class="secondary" type="submit">
          {t('save')}
        </button>
      </form>
      <p>
        <span class="label">{t('email')}</span>
        <bdi>{email}</bdi>
      </p>
    </Part>
  );
}

function Password({ page }: PartProps) {
  const { t } = accountUi(page);
  return (
    <Part id="password" title={t('password')}>
      <form class="fields" method="post" action={`${page.base_path}/account/password`}>
        <input type="hidden" name="username" autocomplete="username" value={page.person.email} />
        <PresentPassword page={page} of="change" />
        <Field
          id="new_password"
          label={t('password_new')}
          name="new_password"
          type="password"
          autocomplete="new-password"
          minlength={10}
        />
        <p class="quiet">{t('password_hint')}</p>
        <button class="secondary" type="submit">
          {t('password_change')}
        </button>
      </form>
    </Part>
  );
}

/** A form of one button that asks for the present password. */
function Guarded(props: {
  page: BaseContext;
  id: string;
  path: string;
  label: string;
  /** Whether the form is open at first. */
  open?: boolean;
  children?: ComponentChildren;
}) {
  const { page, id, path, label, open = false } = props;
  return (
    <details class="more" open={open}>
      <summary>{label}</summary>
      <form class="fields" method="post" action={`${page.base_path}/account/${path}`}>
        {props.children}
        <PresentPassword page={page} of={id} />
        <button class="secondary" type="submit">
          {label}
        </button>
      </form>
    </details>
  );
}

function Factors({ page }: PartProps) {
  const { t } = accountUi(page);
  const { factors, base_path, said } = page;
  const isNeeded = said !== undefined && 'key' in said && said.key === 'factor_needed';
  return (
    <Part id="factor" title={t('factor')}>
      {/* Who is led to this part does not see the top of the page (D-940). */}
      <p>{t(isNeeded ? 'factor_needed' : 'factor_about')}</p>
      {factors.totp ? (
        <>
          <p>{t('totp_on')}</p>
          <Guarded page={page} id="totp-off" path="totp/remove" label={t('totp_remove')} />
        </>
      ) : (
        <Guarded page={page} id="totp-on" path="totp" label={t('totp_set_up')} />
      )}
      {(factors.passkeys.length > 0 || page.passkeys_possible) && <h3>{t('passkeys')}</h3>}
      {factors.passkeys.length > 0 && <Passkeys page={page} />}
      {page.passkeys_possible && (
        <PasskeyForm
          page={page}
          kind="new"
          action={`${base_path}/account/passkeys`}
          then={`${base_path}/account?done=saved`}
          label={t('passkey_add')}
        >
          <PresentPassword page={page} of="passkey" />
        </PasskeyForm>
      )}
      {(factors.totp || factors.passkeys.length > 0) && (
        <>
          <h3>{t('codes')}</h3>
          <p>{t('codes_left', { count: String(factors.recovery_codes) })}</p>
          <Guarded
            page={page}
            id="codes"
            path="recovery-codes"
            label={t('codes_new')}
            open={factors.recovery_codes === 0}
          />
        </>
      )}
    </Part>
  );
}

function Passkeys({ page }: PartProps) {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  return (
    <ul class="plain-list">
      {page.factors.passkeys.map(({ credential_id, created_at }, i) => (
        <li key={credential_id}>
          <TimeIn ui={ui} at={created_at} text={(date) => t('passkey_since', { date })} />
          <Guarded page={page} id={`key-${i}`} path="passkeys/remove" label={t('passkey_remove')}>
            <input type="hidden" name="credential_id" value={credential_id} />
          </Guarded>
        </li>
      ))}
    </ul>
  );
}

function Sessions({ page }: PartProps) {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  return (
    <Part id="sessions" title={t('sessions')}>
      <ul class="plain-list">
        {page.sessions.map(({ session_id, browser, system, address, since, last_used, current }) => (
          <li key={session_id}>
            <bdi>
              {browser !== '' && system !== ''
                ? t('session_device', { browser, system })
                : browser + system || t('session_unknown')}
            </bdi>{' '}
            {current && <strong>{t('session_this')}</strong>}
            <div class="quiet">
              {address !== '' && <bdi>{address}</bdi>}{' '}
              <TimeIn ui={ui} at={since} text={(date) => t('session_since', { date })} /> ·{' '}
              <TimeIn ui={ui} at={last_used} text={(date) => t('session_used', { date })} />
            </div>
            {!current && (
              <form method="post" action={`${page.base_path}/account/sessions/end-one`}>
                <input type="hidden" name="session_id" value={session_id} />
                <button class="link" type="submit">
                  {t('session_end')}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form method="post" action={`${page.base_path}/account/sessions/end`}>
        <button class="secondary" type="submit">
          {t('sessions_end')}
        </button>
      </form>
    </Part>
  );
}

function Apps({ page }: PartProps) {
  const { t } = accountUi(page);
  return (
    <Part id="apps" title={t('apps')}>
      {page.apps.length === 0 && <p>{t('apps_none')}</p>}
      {page.apps.map(({ client_id, client, merchant, scopes, limits }) => (
        <div key={client_id} class="stack">
          <h3>
            <bdi>{client}</bdi>
            {merchant !== null && (
              <>
                {' · '}
                <bdi>{merchant}</bdi>
              </>
            )}
          </h3>
          <ul class="plain-list">
            {scopes.map((scope) => (
              <li key={scope}>{scopeWords(page, scope)}</li>
            ))}
          </ul>
          {page.activity.spent[client_id] !== undefined && (
            <p>
              {t('app_spent')}{' '}
              <Amount ui={pageUi(page)} amount={page.activity.spent[client_id]} currency="PTK" />
            </p>
          )}
          {limits !== null && (
            <form class="fields" method="post" action={`${page.base_path}/account/apps/limits`}>
              <p>{t('consent_pays', { client })}</p>
              <input type="hidden" name="client_id" value={client_id} />
              <LimitFields page={page} of={`app-${client_id}`} limits={limits} />
              <button class="secondary" type="submit">
                {t('limits_save')}
              </button>
            </form>
          )}
          <form method="post" action={`${page.base_path}/account/apps/remove`}>
            <input type="hidden" name="client_id" value={client_id} />
            <button class="secondary" type="submit">
              {t('app_remove', { client })}
            </button>
          </form>
        </div>
      ))}
    </Part>
  );
}
