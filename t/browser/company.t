#!/usr/bin/env node
/*
 * A company in a browser: projects, their members and invitations, what a role
 * allows, keys, budgets, the audit log; each by two people.
 */

'use strict';

const b = require('./browser.js');

const dialog = (page, name) => page.getByRole('dialog', { name });
const heading = (page, name) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
const projectButton = (page, name) =>
    page.getByRole('button', { name: `Project: ${name}`, exact: true });
const table = (page, name) => page.getByRole('table', { name, exact: true });
const row = (page, of, name) => table(page, of).getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });
const said = (page, text) => page.getByRole('status').getByText(text).first()
    .waitFor();
const names = async (page, role) => (await page.getByRole('main')
    .getByRole(role).allInnerTexts()).map((text) => text.trim());
const stored = (page) => page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
const storedNames = (page) => page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

async function menu(page, now) {
    await projectButton(page, now).click();
}

async function choose(page, now, name) {
    await menu(page, now);
    await page.getByRole('menuitemradio', { name, exact: true }).click();
    await projectButton(page, name).waitFor();
}

async function signOut(page, email) {
    await page.getByRole('button', { name: email, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/login/);
}

/* asks as the one of a page, in a project */
async function as(page, project, query, variables = {}) {
    const r = await b.post(query, variables, {
        key: null,
        headers: { Cookie: await b.cookieOf(page),
                   'Sec-Fetch-Site': 'same-origin',
                   ...(project ? { 'Prompt-Project': project } : {}) }
    });

    if (r.errors) {
        throw new Error(`${query}: ${JSON.stringify(r.errors)}`);
    }

    return r.data;
}

/* a project of the page's, with members by their roles: its id */
async function project(page, name, members = {}) {
    const { createProject: { id } } = await as(page, null,
        'mutation ($name: String!) { createProject(name: $name) { id } }',
        { name });

    for (const [who, role] of Object.entries(members)) {
        const { inviteMember: { token } } = await as(page, id,
            'mutation ($email: String!, $role: ProjectRole!) { '
            + 'inviteMember(email: $email, role: $role) { token } }',
            { email: `${who}@example.com`, role });
        const member = await b.signIn(who);

        await as(member, null, 'mutation ($token: String!) { '
                 + 'acceptInvitation(token: $token) { id } }', { token });
        await member.close();
    }

    return id;
}

/* a prompt with one version in a project: its id */
async function prompt(page, owner, name, content = 'Say it',
                      params = { model: 'fx:ok' }) {
    const { createPrompt: { id } } = await as(page, owner,
        'mutation ($i: CreatePromptInput!) { createPrompt(input: $i) { id } }',
        { i: { name } });

    await as(page, owner, 'mutation ($i: CreatePromptVersionInput!) '
             + '{ createPromptVersion(input: $i) { version } }',
             { i: { promptId: id, content, params } });

    return id;
}


async function projects() {
    await b.block('a project is made and chosen', async () => {
        const page = await b.signIn('alice');
        const sent = [];

        await b.prompt('mine-alone', 'one');
        await page.reload();
        await page.getByRole('link', { name: 'mine-alone' }).waitFor();
        await projectButton(page, 'Personal').waitFor();

        /* by keyboard */
        await projectButton(page, 'Personal').focus();
        await page.keyboard.press('Enter');
        await b.becomes(() => b.focused(page), 'menuitemradio Personal',
                        'the menu begins with the projects');
        b.is(await page.getByRole('menuitemradio', { name: 'Personal' })
            .getAttribute('aria-checked'), 'true', 'one of which is chosen');
        await b.looks(page, 'project-menu');
        await page.keyboard.press('n');
        await b.becomes(() => b.focused(page), 'menuitem New project…',
                        'letters find an item');
        await page.keyboard.press('Enter');
        await b.becomes(() => b.focused(page), 'input Name',
                        'the dialog begins with the name');
        await page.keyboard.press('Enter');
        await dialog(page, 'New project').getByText('Enter a name.').waitFor();
        await page.keyboard.type('Support team');
        await b.looks(page, 'project-new');
        page.on('request', (r) => {
            if (r.url().endsWith('/graphql')) {
                sent.push(r.headers()['prompt-project'] || '');
            }
        });
        await page.keyboard.press('Enter');
        await projectButton(page, 'Support team').waitFor();
        await said(page, 'You are in Support team now.');
        await page.getByText('No prompts yet').waitFor();
        b.is(await page.getByRole('link', { name: 'mine-alone' }).count(), 0,
             'nothing of the other one is shown');

        const [[id]] = await b.sql("SELECT id FROM projects WHERE name = "
                                   + "'Support team'");

        /* what is asked of all of them names none */
        sent.length = 0;
        await page.reload();
        await projectButton(page, 'Support team').waitFor();
        await page.getByText('No prompts yet').waitFor();
        await page.getByRole('link', { name: 'Overview' }).click();
        await heading(page, 'Overview');
        await page.getByText('Nothing was run').waitFor();
        b.ok(sent.filter((one) => one === id).length >= 2,
             'a reload keeps it, and it is sent');
        b.is(sent.filter((one) => one !== id && one !== b.config().alice_id),
             [], 'with every request');

        /* another tab is its own */
        const tab = await b.open('prompts', { context: page.context() });

        await projectButton(tab, 'Personal').waitFor();
        await tab.getByRole('link', { name: 'mine-alone' }).waitFor();
        b.ok(true, 'another tab is where it was');

        await choose(page, 'Support team', 'Personal');
        await heading(page, 'Overview');
        await page.getByRole('link', { name: 'Prompts', exact: true }).click();
        await page.getByRole('link', { name: 'mine-alone' }).waitFor();
        b.is(await b.sql("SELECT count(*) FROM prompts WHERE owner_id = "
                         + `'${id}'`), [['0']], 'nothing was put there');
    });

    await b.block('the console is of one project', async () => {
        const page = await b.signIn('alice', 'console');
        const id = await project(page, 'Console team');
        const query = page.getByRole('textbox', { name: 'Query', exact: true });
        const run = async () => {
            await query.focus();
            await page.keyboard.press('Control+A');
            await page.keyboard.insertText('{ project { name role } }');
            await page.keyboard.press('Control+Enter');
        };

        await run();
        await page.getByText('"Personal"').waitFor();
        await choose(page, 'Personal', 'Console team');
        b.is(await page.getByText('"Personal"').count(), 0,
             'what was answered elsewhere is gone');
        await run();
        await page.getByText('"Console team"').waitFor();
        b.ok(id, 'it asks in the one that is chosen');
    });

    await b.block('a link to a prompt of another project', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Elsewhere');
        const there = await prompt(page, id, 'over-there');

        await page.goto(b.url(`prompts/${there}/edit`));
        await projectButton(page, 'Elsewhere').waitFor();
        await said(page, 'This prompt is of Elsewhere');
        await b.field(page, 'Content').waitFor();
        await b.shot(page, 'project-elsewhere');
        await page.getByRole('button', { name: 'Save as new version' })
            .waitFor();
        b.ok(true, 'it is at hand there');

        /* switching away leaves it */
        await choose(page, 'Elsewhere', 'Personal');
        await heading(page, 'Prompts');
        b.is(await page.getByRole('link', { name: 'over-there' }).count(), 0,
             'and nothing of it stays');

        /* somebody else's stays nobody's */
        const bob = await b.signIn('bob', `prompts/${there}`);

        await heading(bob, 'Prompt not found');
        await projectButton(bob, 'Personal').waitFor();
        b.ok(true, 'who is no member is not told more');
    });

    await b.block('a server that forbids all', async () => {
        b.expectStatus(403);

        const page = await b.signIn('alice');
        let asked = 0;

        await project(page, 'Forbidden');
        await page.reload();
        await choose(page, 'Personal', 'Forbidden');
        await page.route('**/graphql', (route) => {
            asked++;
            return route.fulfill({ status: 403, json: { errors: [{ message:
                'No.', extensions: { code: 'FORBIDDEN' } }] } });
        });
        await page.reload();
        await page.getByRole('alert').getByText('No.').waitFor();
        await b.sleep(1000);
        b.ok(asked < 15, `is asked no more than needed: ${asked}`);
        await projectButton(page, 'Forbidden').waitFor();
        b.ok(true, 'and the choice stays');
    });

    await b.block('signing out', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');

        await project(page, 'Secret team');
        await page.reload();
        await choose(page, 'Personal', 'Secret team');
        b.ok((await stored(page)).includes('Secret team'), 'it is kept');
        await signOut(page, 'alice@example.com');
        await b.becomes(() => storedNames(page), ['prompt-theme'],
                        'nothing of it stays');
        await b.enter(page, 'bob@example.com');
        await projectButton(page, 'Personal').waitFor();
        b.ok(!(await page.locator('body').innerText()).includes('Secret'),
             'and the next one is in their own');
    });
}


async function invitations() {
    await b.block('somebody with an account is invited', async () => {
        const page = await b.signIn('alice', 'prompts', {
            permissions: ['clipboard-read', 'clipboard-write']
        });
        const id = await project(page, 'Inviting');

        await prompt(page, id, 'of-all');
        await page.reload();
        await choose(page, 'Personal', 'Inviting');
        await menu(page, 'Inviting');
        await page.getByRole('menuitem', { name: 'Project settings' }).click();
        await heading(page, 'Project');
        await row(page, 'Members', /alice@example\.com/).waitFor();
        await page.getByText('None is open.').waitFor();
        await b.looks(page, 'project');

        await b.press(page, 'Invite');
        await b.becomes(() => b.focused(page), 'input Email',
                        'it begins with the address');
        await page.keyboard.press('Enter');
        await dialog(page, 'Invite').getByText('Enter an e-mail address.')
            .waitFor();
        await b.field(page, 'Email').fill('bob@example.com');
        await dialog(page, 'Invite').getByRole('combobox', { name: 'Role' })
            .selectOption('VIEWER');
        await b.looks(page, 'project-invite');
        await b.press(page, 'Create link');
        await b.field(page, 'Invitation link').waitFor();

        const link = await b.field(page, 'Invitation link').inputValue();

        b.ok(link.startsWith(`${b.url('invitation')}#pmi_`),
             'the token stands behind the #');
        await b.looks(page, 'project-invited');
        await b.press(page, 'Copy');
        await page.getByText('Copied to the clipboard.').waitFor();
        b.is(await page.evaluate(() => navigator.clipboard.readText()), link,
             'it is copied');
        await b.press(page, 'Done');
        await row(page, 'Invitations', 'bob@example.com').waitFor();
        b.ok(!(await page.content()).includes(link.split('#')[1]),
             'and is not seen again');
        await b.looks(page, 'project-invitations');

        /* bob */
        const bob = await b.signIn('bob');
        const token = link.split('#')[1];
        const urls = [];

        bob.on('request', (r) => urls.push(
            `${r.url()} ${JSON.stringify(r.headers())}`));
        await bob.goto('about:blank');
        urls.length = 0;
        await bob.goto(link);
        await heading(bob, 'Invitation');
        b.is(bob.url(), b.url('invitation'), 'the token leaves the address');
        await b.looks(bob, 'invitation');
        await b.press(bob, 'Accept');
        await projectButton(bob, 'Inviting').waitFor();
        await said(bob, 'You are a member of Inviting now.');
        await bob.getByRole('link', { name: 'of-all' }).waitFor();
        b.ok(urls.length > 2 && !urls.some((one) => one.includes(token)),
             'no request names it');
        await bob.goBack().catch(() => {});
        b.ok(!(await bob.content()).includes(token)
             && !bob.url().includes(token), 'nor does going back');

        /* once */
        await bob.goto('about:blank');
        await bob.goto(link);
        await b.press(bob, 'Accept');
        await bob.getByRole('alert').getByText('Ask who has invited you')
            .waitFor();
        await b.looks(bob, 'invitation-used');

        await bob.goto(b.url('invitation'));
        await bob.getByText('Open that link again').waitFor();
        b.ok(true, 'without a token it says what to do');

        /* withdrawn */
        await b.press(page, 'Invite');
        await b.field(page, 'Email').fill('carol@example.com');
        await b.press(page, 'Create link');
        await b.press(page, 'Done');
        await row(page, 'Invitations', 'carol@example.com')
            .getByRole('button', { name: 'Withdraw' }).click();
        await said(page, 'The invitation of carol@example.com is withdrawn.');
        await page.getByText('None is open.').waitFor();
        await b.becomes(() => b.focused(page), 'h1 Project',
                        'the focus is not lost with its row');
        b.is(await b.sql('SELECT count(*) FROM project_invitations WHERE '
                         + `project_id = '${id}'`), [['0']],
             'none is left');
    });

    await b.block('somebody without an account is invited', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');
        const id = await project(page, 'Newcomers');
        const { inviteMember: { token } } = await as(page, id,
            'mutation { inviteMember(email: "dora@example.com", role: EDITOR)'
            + ' { token } }');
        const context = await b.context();
        const dora = await context.newPage();
        const urls = [];

        dora.on('request', (r) => urls.push(
            `${r.url()} ${JSON.stringify(r.headers())}`));
        await dora.goto(`${b.url('invitation')}#${token}`);
        await heading(dora, 'Invitation');
        b.is(dora.url(), b.url('invitation'), 'the token leaves the address');
        await b.looks(dora, 'invitation-new');
        await b.press(dora, 'Create account');
        await dora.getByText('Enter your name.').waitFor();
        await b.becomes(() => b.focused(dora), 'input Your name',
                        'a name is wanted');
        await b.field(dora, 'Your name').fill('Dora');
        await b.field(dora, 'Password').fill('short');
        await b.press(dora, 'Create account');
        await dora.getByText('At least 12 characters').waitFor();
        await b.field(dora, 'Password').fill('a long password of dora');
        await b.press(dora, 'Create account');
        await projectButton(dora, 'Newcomers').waitFor();
        await heading(dora, 'Prompts');
        await said(dora, 'You are a member of Newcomers now.');
        await dora.getByRole('button', { name: 'dora@example.com' }).waitFor();
        b.ok(!urls.some((one) => one.includes(token)),
             'no address has the token');
        await dora.getByRole('link', { name: 'New prompt' }).waitFor();
        b.is(await b.sql("SELECT u.name, m.role FROM users u JOIN "
                         + 'project_members m ON m.user_id = u.id WHERE '
                         + `m.project_id = '${id}' AND u.email LIKE 'dora%'`),
             [['Dora', '2']], 'there is an account, and a member');
        await signOut(dora, 'dora@example.com');
        await b.enter(dora, 'dora@example.com', 'a long password of dora');
        await projectButton(dora, 'Personal').waitFor();
        b.ok(true, 'which signs in from now on');

        /* a link that was used */
        const late = await (await b.context()).newPage();

        await late.goto(`${b.url('invitation')}#${token}`);
        await b.field(late, 'Your name').fill('Eve');
        await b.field(late, 'Password').fill('a long password of eve');
        b.expectStatus(400, 403, 404);
        await b.press(late, 'Create account');
        await late.getByRole('alert').getByText('Ask who has invited you')
            .waitFor();
        b.is(await b.field(late, 'Your name').inputValue(), 'Eve',
             'used once: it says so, and what was typed stays');
        await b.shot(late, 'invitation-late');
    });

    await b.block('who has an account signs in first', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');
        const id = await project(page, 'Signing in');
        const { inviteMember: { token } } = await as(page, id,
            'mutation { inviteMember(email: "bob@example.com", role: EDITOR)'
            + ' { token } }');
        const bob = await (await b.context()).newPage();

        await bob.goto(`${b.url('invitation')}#${token}`);
        await heading(bob, 'Invitation');
        await bob.getByRole('link', { name: 'sign in' }).click();
        await b.enter(bob, 'bob@example.com');
        await b.press(bob, 'Accept');
        await projectButton(bob, 'Signing in').waitFor();
        b.ok(true, 'the token waits for them');

        /* another one's */
        const { inviteMember: other } = await as(page, id,
            'mutation { inviteMember(email: "carol@example.com", role: EDITOR)'
            + ' { token } }');

        await bob.goto('about:blank');
        await bob.goto(`${b.url('invitation')}#${other.token}`);
        await b.press(bob, 'Accept');
        await bob.getByRole('alert')
            .getByText('for another e-mail address').waitFor();
        b.ok(true, 'an invitation of somebody else is refused');
        await b.press(bob, 'Use another account');
        await b.field(bob, 'Your name').waitFor();
        b.ok(true, 'and somebody else can take their place');
    });
}


async function roles() {
    await b.block('a viewer has no dead controls', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Viewers', { bob: 'VIEWER' });
        const one = await prompt(page, id, 'look-only');
        const bob = await b.signIn('bob');

        await as(page, id, 'mutation ($id: ID!) { setPromptLabel(promptId: '
                 + '$id, label: "production", version: 1) { label } }',
                 { id: one });
        await choose(bob, 'Personal', 'Viewers');
        await bob.getByRole('link', { name: 'look-only' }).waitFor();
        b.is(await bob.getByRole('link', { name: 'New prompt' }).count(), 0,
             'no new prompt');
        await bob.goto(b.url('prompts/new'));
        await bob.getByText('You are a viewer').waitFor();
        b.is(await bob.getByRole('button', { name: 'Create prompt' }).count(),
             0, 'not by its address, either');

        await bob.goto(b.url(`prompts/${one}/edit`));
        await bob.getByText('You are a viewer of this project').waitFor();
        b.is(await bob.getByRole('button', { name: /Save|Add message/ })
            .count(), 0, 'nothing to save');
        await b.looks(bob, 'viewer-edit');
        await bob.getByRole('tab', { name: 'Versions' }).click();
        await table(bob, 'Versions').getByText('production').waitFor();
        b.is(await table(bob, 'Versions').getByRole('button', {
            name: /Set label|Restore|Remove/ }).count(), 0, 'no labels to set');
        await bob.getByRole('tab', { name: 'Run' }).click();
        await bob.getByRole('button', { name: 'Copy as curl' }).waitFor();
        b.is(await bob.getByRole('button', { name: 'Run', exact: true })
            .count(), 0, 'nothing to run');
        await bob.getByRole('combobox', { name: 'Version or label' })
            .press('Control+Enter');
        await b.looks(bob, 'viewer-run');
        await bob.getByRole('tab', { name: 'Executions' }).click();
        await bob.getByText('It was not run').waitFor();
        b.is(await bob.getByRole('link', { name: 'Run it' }).count(), 0,
             'and no way to it');
        await bob.getByRole('tab', { name: 'Settings' }).click();
        await b.field(bob, 'Name').waitFor();
        b.is(await names(bob, 'button'), [], 'no settings to save');
        await bob.goto(b.url('settings/keys'));
        await bob.getByText('Viewers have no API keys.').waitFor();
        b.is(await names(bob, 'button'), [], 'no keys');
        await b.looks(bob, 'viewer-keys');

        await bob.goto(b.url('settings/project'));
        await heading(bob, 'Project');
        await row(bob, 'Members', /alice@example\.com/).waitFor();
        b.is(await names(bob, 'button'), ['Leave'],
             'of the project they can leave it alone');
        b.is([await bob.getByRole('main').getByRole('combobox').count(),
              await bob.getByRole('main').getByRole('textbox').count(),
              await bob.getByRole('main').getByRole('checkbox').count()],
             [0, 0, 0], 'and change nothing');
        await b.looks(bob, 'viewer-project');
        b.is(await b.sql('SELECT count(*) FROM executions WHERE prompt_id = '
                         + `'${one}'`), [['0']], 'nothing was run');
    });

    await b.block('roles are given and taken', async () => {
        b.expectStatus(403);

        const page = await b.signIn('alice', 'settings/project');
        const id = await project(page, 'Ranks', { bob: 'VIEWER' });
        const one = await prompt(page, id, 'ranked');
        const bob = await b.signIn('bob');
        const ofBob = () => b.sql('SELECT role FROM project_members WHERE '
            + `project_id = '${id}' AND user_id = '${b.config().bob_id}'`);

        await page.reload();
        await choose(page, 'Personal', 'Ranks');
        await page.getByRole('combobox', { name: 'Role of bob@example.com' })
            .selectOption('EDITOR');
        await said(page, 'bob@example.com is editor now.');
        b.is(await ofBob(), [['2']], 'a role is given');

        await choose(bob, 'Personal', 'Ranks');
        await bob.goto(b.url(`prompts/${one}/run`));
        await b.press(bob, 'Run');
        await bob.getByRole('region', { name: 'Output' })
            .getByText('Show this execution').waitFor();
        await bob.goto(b.url('settings/project'));
        await row(bob, 'Members', /alice@example\.com/).waitFor();
        b.is(await bob.getByRole('combobox', { name: /^Role of/ }).count(), 0,
             'an editor gives none');

        /* an admin gives some */
        await page.getByRole('combobox', { name: 'Role of bob@example.com' })
            .selectOption('ADMIN');
        await said(page, 'bob@example.com is admin now.');
        await bob.reload();
        await b.press(bob, 'Invite');
        b.is(await dialog(bob, 'Invite').getByRole('combobox', { name: 'Role' })
            .getByRole('option').allInnerTexts(), ['Viewer', 'Editor'],
             'an admin gives the lesser ones');
        await bob.keyboard.press('Escape');
        b.is(await bob.getByRole('combobox', { name: /^Role of/ }).count(), 0,
             'and takes none of admins and owners');
        b.is(await bob.getByRole('button', { name: 'Delete project' }).count(),
             0, 'nor ends the project');

        /* the last owner */
        await page.getByRole('combobox', { name: 'Role of alice@example.com' })
            .selectOption('VIEWER');
        await page.getByRole('alert').waitFor();
        await b.becomes(() => page.getByRole('combobox', {
            name: 'Role of alice@example.com' }).inputValue(), 'OWNER',
                        'one owner stays');
        await b.shot(page, 'project-last-owner');

        /* made less while at work */
        await bob.goto(b.url(`prompts/${one}/settings`));
        await b.field(bob, 'Description').fill('typed as an admin');
        await page.getByRole('combobox', { name: 'Role of bob@example.com' })
            .selectOption('VIEWER');
        await said(page, 'bob@example.com is viewer now.');
        await b.press(bob, 'Save settings');
        await bob.getByRole('button', { name: 'Save settings' })
            .waitFor({ state: 'detached' });
        b.is(await b.field(bob, 'Description').inputValue(),
             'typed as an admin', 'what was typed stays');

        /* removed while at work */
        await row(page, 'Members', /bob@example\.com/)
            .getByRole('button', { name: 'Remove' }).click();
        await said(page, 'bob@example.com is no member any more.');
        await bob.getByRole('link', { name: 'Prompts', exact: true }).click();
        await projectButton(bob, 'Personal').waitFor();
        await said(bob, 'You are not a member of Ranks any more');
        await b.shot(bob, 'project-removed');
        await heading(bob, 'Prompts');
        b.is(await bob.getByRole('link', { name: 'ranked' }).count(), 0,
             'and sees nothing more of it');
        b.is(await ofBob(), [['0']], 'a member is removed');
    });

    await b.block('somebody leaves', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Leaving', { bob: 'EDITOR' });
        const bob = await b.signIn('bob', 'settings/project');

        await choose(bob, 'Personal', 'Leaving');
        await row(bob, 'Members', /bob@example\.com/)
            .getByRole('button', { name: 'Leave' }).click();
        await b.looks(bob, 'project-leave');
        await b.press(bob, 'Leave project');
        await projectButton(bob, 'Personal').waitFor();
        await said(bob, 'You have left Leaving.');
        b.is(await b.sql('SELECT role FROM project_members WHERE project_id = '
                         + `'${id}' AND user_id = '${b.config().bob_id}'`),
             [['0']], 'and is out');
    });

    await b.block('protected labels', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Careful', { bob: 'EDITOR' });
        const one = await prompt(page, id, 'careful');

        await as(page, id, 'mutation ($id: ID!) { a: setPromptLabel(promptId: '
                 + '$id, label: "production", version: 1) { label } b: '
                 + 'setPromptLabel(promptId: $id, label: "staging", version: '
                 + '1) { label } }', { id: one });
        await page.reload();
        await choose(page, 'Personal', 'Careful');
        await page.goto(b.url('settings/project'));
        await b.field(page, 'Protected labels').fill('production, Live');
        await b.press(page, 'Save');
        await page.getByText('Live: A label begins with').waitFor();
        await b.field(page, 'Protected labels').fill('production live');
        await b.field(page, 'Name').fill('Very careful');
        await page.getByRole('checkbox', { name: 'Keep inputs and outputs' })
            .uncheck();
        await b.press(page, 'Save');
        await said(page, 'The project is saved.');
        await projectButton(page, 'Very careful').waitFor();
        b.is(await b.sql('SELECT name, protected_labels, records_content FROM '
                         + `projects WHERE id = '${id}'`),
             [['Very careful', '{production,live}', 'f']], 'all of it');

        const bob = await b.signIn('bob');

        await choose(bob, 'Personal', 'Very careful');
        await bob.goto(b.url(`prompts/${one}/versions`));
        await bob.getByRole('button', { name: 'Remove staging' }).waitFor();
        b.is(await bob.getByRole('button', { name: 'Remove production' })
            .count(), 0, 'an editor does not take it away');
        await bob.getByRole('button', { name: 'Set label' }).first().click();
        await b.field(bob, 'Label').fill('live');
        await b.press(bob, 'Set');
        await bob.getByText('This label is protected').waitFor();
        await b.looks(bob, 'label-protected');
        await bob.keyboard.press('Escape');
        await bob.getByRole('tab', { name: 'Settings' }).click();
        await b.field(bob, 'Name').waitFor();
        b.is(await bob.getByRole('button', { name: 'Delete prompt' }).count(),
             0, 'nor the prompt with it');
        await bob.goto(b.url('settings/project'));
        await bob.getByText('are not kept').waitFor();
        await bob.getByRole('main').getByText('live', { exact: true })
            .waitFor();
        b.ok(true, 'they read what is set');
    });

    await b.block('the end of a project', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Short-lived', { bob: 'EDITOR' });
        const bob = await b.signIn('bob');

        await choose(bob, 'Personal', 'Short-lived');
        await page.reload();
        await choose(page, 'Personal', 'Short-lived');
        await page.goto(b.url('settings/project'));
        await b.press(page, 'Delete project');

        const sure = dialog(page, 'Delete this project?');

        await b.field(sure, 'Type the name').fill('Short');
        await b.press(sure, 'Delete for good');
        await sure.getByText('This is not its name.').waitFor();
        await b.looks(page, 'project-delete');
        await b.field(sure, 'Type the name').fill('Short-lived');
        await b.press(sure, 'Delete for good');
        await projectButton(page, 'Personal').waitFor();
        await said(page, 'Short-lived is deleted.');
        b.expectStatus(403);
        await bob.reload();
        await projectButton(bob, 'Personal').waitFor();
        await said(bob, 'You are not a member of Short-lived any more');
        b.is(await b.sql('SELECT count(*) FROM project_members WHERE '
                         + `project_id = '${id}' AND role > 0`), [['0']],
             'nobody is in it any more');
    });
}



async function keys() {
    await b.block('keys of a project', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Key makers', { bob: 'EDITOR' });
        const bob = await b.signIn('bob', 'settings/keys');

        /* an editor */
        await choose(bob, 'Personal', 'Key makers');
        await bob.getByText('No keys yet').waitFor();
        await b.press(bob, 'Create New Key');

        const form = dialog(bob, 'Create New Key');

        b.is((await form.getByRole('checkbox').evaluateAll((all) => all.map(
            (one) => one.labels[0].textContent))),
             ['read', 'write', 'execute', 'keys'], 'an editor\'s scopes');
        await b.field(form, 'Name').fill('made by bob');
        await b.press(form, 'Create');
        await dialog(bob, 'Your new key').waitFor();

        const key = await bob.locator('.secret').innerText();

        await b.press(bob, 'Done');
        await row(bob, 'API Keys', 'made by bob').waitFor();
        b.is(await row(bob, 'API Keys', 'made by bob')
            .getByRole('button', { name: 'Set budget' }).count(), 0,
             'sets no budgets');

        /* what the key makes */
        const child = await b.post('mutation { createApiKey(input: { name: '
            + '"made by a key", scopes: ["read"] }) { apiKey { id } } }', {},
                                   { key });

        b.is(child.errors, undefined, 'a key makes a key');

        /* the owner */
        await page.reload();
        await choose(page, 'Personal', 'Key makers');
        await page.goto(b.url('settings/keys'));
        await row(page, 'API Keys', 'made by bob').getByText('Bob', { exact: true }).waitFor();
        b.is((await table(page, 'API Keys').getByRole('rowheader')
            .allInnerTexts()).map((text) => text.trim()),
             ['made by bob', '↳ made by a key'],
             'what a key made stands below it');
        await b.press(page, 'Create New Key');

        const all = dialog(page, 'Create New Key');

        await b.field(all, 'Name').fill('promoter');
        b.is(await all.getByRole('checkbox', { name: 'promote' }).isChecked(),
             false, 'what goes far is chosen by hand');
        await all.getByRole('checkbox', { name: 'promote' }).check();
        await b.looks(page, 'keys-scopes');
        await b.press(all, 'Create');
        await b.press(page, 'Done');
        await row(page, 'API Keys', 'promoter')
            .getByText('promote', { exact: true }).waitFor();
        await b.looks(page, 'keys-company');
        b.is(await b.sql('SELECT scopes FROM api_keys WHERE name = '
                         + "'promoter'"), [[String(1 + 2 + 4 + 8 + 128)]],
             'it is stored so');
        await bob.reload();
        await row(bob, 'API Keys', 'made by bob').waitFor();
        b.is(await row(bob, 'API Keys', 'promoter').count(), 0,
             'an editor sees their own');

        /* a budget of a key */
        await row(page, 'API Keys', 'made by bob')
            .getByRole('button', { name: 'Set budget' }).click();

        const set = dialog(page, 'Set budget');

        await b.becomes(() => set.getByRole('combobox', { name: 'Of' })
            .evaluate((one) => one.selectedOptions[0].textContent),
                        'made by bob', 'it is about that key');
        await b.press(set, 'Set');
        await set.getByText('Enter how much may be spent.').waitFor();
        await b.field(set, 'Limit (USD)').fill('5');
        await set.getByRole('combobox', { name: 'Per' }).selectOption('DAY');
        await set.getByRole('spinbutton', { name: 'Warn at (%)' }).fill('101');
        await b.press(set, 'Set');
        await set.getByText('from 1 to 100').waitFor();
        await b.looks(page, 'budget-set');
        await set.getByRole('spinbutton', { name: 'Warn at (%)' }).fill('80');
        await b.press(set, 'Set');
        await said(page, 'The budget is set.');
        await row(page, 'API Keys', 'made by bob').getByText('$5.00 a day')
            .waitFor();
        b.is(await b.sql('SELECT count(*) FROM budgets WHERE project_id = '
                         + `'${id}' AND key_id IS NOT NULL`), [['1']],
             'a budget of the key');

        /* it goes with what it made */
        await row(page, 'API Keys', 'made by bob')
            .getByRole('button', { name: 'Delete' }).click();
        await b.press(page, 'Delete key');
        await row(page, 'API Keys', 'made by bob')
            .waitFor({ state: 'detached' });
        b.is(await row(page, 'API Keys', 'made by a key').count(), 0,
             'those that it made go with it');
        b.is((await b.post('{ me { id } }', {}, { key })).status, 401,
             'and it is refused');
    });

    await b.block('many keys', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Many keys');

        await b.sql('INSERT INTO api_keys (id, user_id, project_id, hash, name,'
            + ' hint) SELECT prompt_id_of(now() - n * interval \'1 minute\'),'
            + ` '${b.config().alice_id}', '${id}', `
            + "sha256(convert_to('many' || n, 'UTF8')), 'key ' || n, 'pmt_…' "
            + 'FROM generate_series(1, 450) n');
        await page.reload();
        await choose(page, 'Personal', 'Many keys');
        await page.goto(b.url('settings/keys'));
        await row(page, 'API Keys', /^key 1$/).waitFor();

        for (let i = 0; i < 40 && await row(page, 'API Keys', /^key 450$/)
            .count() === 0; i++)
        {
            await page.mouse.wheel(0, 4000);
            await b.sleep(100);
        }

        await row(page, 'API Keys', /^key 450$/).waitFor();
        b.ok(true, 'all of them, by pages');
    });
}


async function money() {
    await b.block('budgets', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Thrifty', { bob: 'EDITOR' });
        const one = await prompt(page, id, 'costly', 'x', {
            model: 'fx:usage=1000000:0', max_tokens: 10 });

        await page.reload();
        await choose(page, 'Personal', 'Thrifty');
        await page.goto(b.url('settings/project'));
        await page.getByText('may cost what it costs').waitFor();
        await b.press(page, 'Set budget');

        const set = dialog(page, 'Set budget');

        b.is(await set.getByRole('combobox', { name: 'Of' })
            .getByRole('option').allInnerTexts(), ['Project'],
             'of the project, or of a key');
        b.is(await set.getByRole('combobox', { name: 'Per' })
            .getByRole('option').allInnerTexts(), ['Day', 'Month', 'Total'],
             'periods');
        await b.field(set, 'Limit (USD)').fill('one dollar');
        await b.press(set, 'Set');
        await b.becomes(() => b.focused(page), 'input Limit (USD)',
                        'what is no amount is said at its field');
        await b.field(set, 'Limit (USD)').fill('0.60');
        await set.getByRole('combobox', { name: 'Per' }).selectOption('TOTAL');
        await set.getByRole('spinbutton', { name: 'Warn at (%)' }).fill('20');
        await page.keyboard.press('Enter');
        await said(page, 'The budget is set.');
        await row(page, 'Budgets', 'Project').waitFor();
        await page.getByRole('region', { name: 'Usage' })
            .getByText('Running now').waitFor();
        b.is(await page.getByRole('progressbar').getAttribute('aria-valuenow'),
             '0', 'nothing is spent');

        const run = await as(page, id, 'mutation ($id: ID!) { executePrompt('
            + 'promptId: $id, input: {}) { costUsd } }', { id: one });

        b.is(run.executePrompt.costUsd, '0.15', 'a call costs something');
        await b.becomes(async () => {
            await page.reload();
            return page.getByRole('progressbar').getAttribute('aria-valuenow');
        }, '25', 'which is spent then');
        await page.getByRole('progressbar', { name: 'Project, total' })
            .waitFor();
        await row(page, 'Budgets', 'Project').getByText('$0.15 (25 %)')
            .waitFor();
        await b.looks(page, 'project-budgets');

        /* replaced, and another beside it */
        const put = async (limit, per) => {
            await b.press(page, 'Set budget');
            await b.field(set, 'Limit (USD)').fill(limit);
            await set.getByRole('combobox', { name: 'Per' })
                .selectOption({ label: per });
            await b.press(set, 'Set');
            await set.waitFor({ state: 'detached' });
        };

        await put('0.30', 'Total');
        await row(page, 'Budgets', 'Project').getByText('(50 %)').waitFor();
        b.is(await b.sql("SELECT count(*) FROM budgets WHERE project_id = '"
                         + `${id}'`), [['1']], 'one takes the other\'s place');
        await put('0.00001', 'Day');
        await page.getByRole('progressbar', { name: 'Project, day' })
            .waitFor();

        /* an editor */
        const bob = await b.signIn('bob');

        await choose(bob, 'Personal', 'Thrifty');
        await bob.goto(b.url('settings/project'));
        await bob.getByRole('progressbar', { name: 'Project, day' }).waitFor();
        b.is(await bob.getByRole('button', { name: /budget/ }).count(), 0,
             'an editor reads them');
        await bob.goto(b.url(`prompts/${one}/run`));
        await b.press(bob, 'Run');
        await bob.getByRole('alert').getByText('Wait for the next period')
            .waitFor();
        await b.looks(bob, 'budget-exceeded');

        for (const left of [1, 0]) {
            await page.getByRole('button', { name: 'Remove budget' }).first()
                .click();
            await b.becomes(() => b.sql('SELECT count(*) FROM budgets WHERE '
                + `project_id = '${id}'`), [[String(left)]], 'one is removed');
            await b.becomes(() => page.getByRole('button', {
                name: 'Remove budget' }).count(), left, 'and its row');
        }

        await page.getByText('may cost what it costs').waitFor();
    });

    await b.block('a prompt that is private now', async () => {
        const page = await b.signIn('alice');
        const id = await b.prompt('was-public', 'one');

        await as(page, null, 'mutation ($id: ID!) { updatePrompt(id: $id, '
                 + 'input: { isPublic: true }) { id } }', { id });

        const bob = await b.signIn('bob', `prompts/${id}/run`);

        await b.press(bob, 'Run');
        await bob.getByText('Show this execution').waitFor();
        await as(page, null, 'mutation ($id: ID!) { updatePrompt(id: $id, '
                 + 'input: { isPublic: false }) { id } }', { id });
        await bob.getByText('Show this execution').click();
        await bob.getByText('Its prompt is private now').waitFor();
        await bob.getByRole('region', { name: 'Output' }).waitFor();
        await b.looks(bob, 'execution-private');
        b.ok(true, 'what was run of it stays');
    });
}


async function audit() {
    await b.block('the audit log', async () => {
        const page = await b.signIn('alice');
        const id = await project(page, 'Audited', { bob: 'EDITOR' });
        const bob = await b.signIn('bob');
        const one = await prompt(bob, id, 'audited');

        await as(page, id, 'mutation ($id: ID!) { updatePrompt(id: $id, '
                 + 'input: { name: "audited-twice" }) { name } }', { id: one });
        await page.reload();
        await choose(page, 'Personal', 'Audited');
        await page.goto(b.url('settings/project'));
        await page.getByRole('link', { name: 'Audit' }).click();
        await heading(page, 'Audit');

        const log = table(page, 'Audit');
        const action = (name) => log.getByRole('row')
            .filter({ has: page.getByRole('cell', { name, exact: true }) });

        await action('Change prompt').waitFor();
        b.is(await action('Save version').first().getByRole('cell')
            .allInnerTexts(), ['bob@example.com', 'Save version',
                               'Prompt audited', '127.0.0.1'],
             'who did what, on what, from where');
        await b.looks(page, 'audit');

        /* a row opens */
        await action('Change prompt').getByRole('link').focus();
        await page.keyboard.press('Enter');

        const detail = dialog(page, 'Change prompt');

        b.is(await detail.getByRole('row').filter({ hasText: 'name' })
            .getByRole('cell').allInnerTexts(), ['audited', 'audited-twice'],
             'before, and after');
        await b.looks(page, 'audit-detail');
        await page.keyboard.press('Escape');
        await detail.waitFor({ state: 'detached' });

        /* filters, which are the address */
        await page.getByRole('combobox', { name: 'Who' })
            .selectOption({ label: 'bob@example.com' });
        await action('Change prompt').waitFor({ state: 'detached' });
        await action('Create prompt').waitFor();
        await page.getByRole('combobox', { name: 'Action' })
            .selectOption({ label: 'Create prompt' });
        await action('Save version').waitFor({ state: 'detached' });
        await b.press(page, '24 h');
        b.is(new URL(page.url()).search, '?who=' + b.config().bob_id
             + '&action=createPrompt&period=24h', 'all of them');
        await page.reload();
        await action('Create prompt').waitFor();
        b.is(await log.getByRole('row').count(), 2, 'as it was asked for');
        await page.getByRole('combobox', { name: 'Action' })
            .selectOption({ label: 'Delete project' });
        await page.getByText('Nothing fits these filters').waitFor();
        await b.press(page, 'Clear the filters');
        await action('Change prompt').waitFor();

        /* what was refused is no change */
        await as(bob, id, 'mutation { setMemberRole(userId: "'
                 + `${b.config().bob_id}", role: OWNER) { role } }`)
            .catch(() => {});
        await page.reload();
        await action('Change role refused').waitFor();
        await action('Change role refused').getByRole('link').click();
        await dialog(page, 'Change role').getByText('FORBIDDEN, ROLE')
            .waitFor();
        await page.keyboard.press('Escape');

        await choose(bob, 'Personal', 'Audited');
        await bob.goto(b.url('settings/audit'));
        await bob.getByText('Reading it needs the role ADMIN').waitFor();
        b.is(await bob.getByRole('main').getByRole('combobox').count(), 0,
             'an editor reads what it takes');
        await b.looks(bob, 'audit-editor');
    });
}


b.main({}, async () => {
    await projects();
    await invitations();
    await roles();
    await keys();
    await money();
    await audit();
});
