#!/usr/bin/env node
/*
 * The dashboard by keyboard alone: from signing in to signing out, without a
 * pointer; and how each route looks, to eyes and to axe.
 */

'use strict';

const b = require('./browser.js');

const MOST = 60;

/* Tab until what has the focus is called so */
async function tabTo(page, wanted, key = 'Tab') {
    for (let i = 0; i < MOST; i++) {
        if (wanted.test(await b.focused(page))) {
            return;
        }

        await page.keyboard.press(key);
    }

    throw new Error(`${wanted} cannot be reached by ${key}: `
                    + await b.focused(page));
}

async function press(page, wanted, key = 'Enter') {
    await tabTo(page, wanted);
    await page.keyboard.press(key);
}


async function flow() {
    await b.block('by keyboard alone', async () => {
        b.expectStatus(401);

        const page = await b.open();
        const { keyboard } = page;
        const heading = (name) => page.getByRole('heading', { name,
                                                              exact: true });

        await heading('Sign in').waitFor();
        await b.becomes(() => b.focused(page), 'input Email', 'it begins');
        await keyboard.type('alice@example.com');
        await tabTo(page, /Password/);
        await keyboard.type(b.password);
        await keyboard.press('Enter');
        await heading('Prompts').waitFor();

        await press(page, /New prompt/);
        await page.getByRole('textbox', { name: 'Name' }).waitFor();
        await tabTo(page, /^input Name/);
        await keyboard.type('By Keyboard');
        await press(page, /Create prompt/);

        await b.field(page, 'Content').waitFor();
        await tabTo(page, /textbox Content/);
        await keyboard.type('Hello {{name');
        await keyboard.press('Escape');
        await keyboard.type('}}');
        await keyboard.press('Tab');
        b.ok(!/Content/.test(await b.focused(page)),
             'Tab leaves an editor');
        await tabTo(page, /^combobox Model/);
        await keyboard.type('fx:ok');
        await press(page, /Save as new version/);
        await page.getByRole('dialog', { name: 'Review changes' }).waitFor();

        /* the focus stays in a dialog */
        for (let i = 0; i < 12; i++) {
            await keyboard.press('Tab');
        }

        b.is(await page.evaluate(() => document.activeElement === document.body
            || document.querySelector('dialog[open]')
                .contains(document.activeElement)), true,
             'a dialog keeps the focus');
        await tabTo(page, /Save version/);
        await keyboard.press('Enter');
        await page.locator('.toasts').getByText('Version 1 is saved').waitFor();
        await b.becomes(() => b.focused(page), 'button Save as new version',
                        'and gives it back');

        await tabTo(page, /^tab Edit$/, 'Shift+Tab');
        await keyboard.press('ArrowRight');
        await keyboard.press('ArrowRight');
        await b.becomes(() => b.focused(page), 'tab Run',
                        'arrows go along the tabs');
        await keyboard.press('Enter');
        await page.getByRole('textbox', { name: 'name' }).waitFor();
        await tabTo(page, /^(textarea|input) name/);
        await keyboard.type('world');
        await keyboard.press('Control+Enter');
        await page.getByRole('region', { name: 'Output', exact: true })
            .getByText('Hello world').waitFor();

        await tabTo(page, /^tab Run$/, 'Shift+Tab');
        await keyboard.press('ArrowLeft');
        await keyboard.press('Enter');
        await page.getByRole('table', { name: 'Versions' }).waitFor();
        await press(page, /Set label$/);
        await b.becomes(() => b.focused(page), 'input Label', 'a label');
        await keyboard.type('production');
        await keyboard.press('Enter');
        await page.getByRole('button', { name: 'Remove production' })
            .waitFor();
        await b.becomes(() => b.focused(page), 'button Set label', 'is set');

        b.is(await b.sql(`
            SELECT p.name, l.label, l.version, e.status, e.version
            FROM prompts p JOIN prompt_labels l ON l.prompt_id = p.id
            JOIN executions e ON e.prompt_id = p.id`),
             [['by-keyboard', 'production', '1', 'succeeded', '1']],
             'all of it is in the database');

        await tabTo(page, /alice@example\.com/, 'Shift+Tab');
        await keyboard.press('Enter');
        await b.becomes(() => b.focused(page), 'menuitem API Keys',
                        'the menu begins with its first');
        await keyboard.press('End');
        await b.becomes(() => b.focused(page), 'menuitem Sign out',
                        'the menu');
        await keyboard.press('Enter');
        await heading('Sign in').waitFor();
        b.is(await b.sessionsOf('alice'), 0, 'signed out');
    });
}


async function tabs() {
    await b.block('where the focus goes', async () => {
        const id = await b.prompt('focus', 'Say {{x}}');
        const page = await b.signIn('alice', `prompts/${id}/edit`);

        for (const name of ['Versions', 'Run', 'Executions', 'Use it',
                            'Settings', 'Edit'])
        {
            const tab = page.getByRole('tab', { name, exact: true });

            await tab.focus();
            await page.keyboard.press('Enter');
            await page.waitForURL(new RegExp(
                `/${name.split(' ')[0].toLowerCase()}$`));
            await b.becomes(() => tab.getAttribute('aria-selected'), 'true',
                            `${name} is the tab that is shown`);
            await b.becomes(() => b.focused(page), `tab ${name}`,
                            `${name}: the focus stays at the tab`);
        }

        /* nothing that has the focus is without a sign of it */
        const bare = [];

        await page.evaluate(() => document.activeElement.blur());

        for (let i = 0; i < 30; i++) {
            await page.keyboard.press('Tab');

            const seen = await b.until(2, () => page.evaluate(() => {
                let here = document.activeElement;

                while (here?.shadowRoot?.activeElement) {
                    here = here.shadowRoot.activeElement;
                }

                const shown = here.closest('.cm-editor') || here;
                const style = getComputedStyle(shown);

                return here === document.body
                       || style.outlineStyle !== 'none'
                       || style.boxShadow !== 'none';
            }));

            if (!seen) {
                bare.push(await b.focused(page));
            }
        }

        b.is(bare, [], 'what has the focus shows it');
    });
}


b.main({}, async () => {
    await flow();
    await tabs();
});
