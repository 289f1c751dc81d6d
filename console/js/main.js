/*
 * The page: what its parts say to each other.
 */

const WELCOME = `# Ctrl-Enter runs, Ctrl-Space completes, F1 explains.

query Welcome {
  me {
    email
    name
  }
  prompts(first: 10) {
    id
    name
    category
    versions {
      version
      createdAt
    }
  }
}
`;

const CHECK_DELAY = 250;               /* ms after the last key */

/* as in console.css: the side covers the panes; one pane below the other */
const COVERED = '(max-width: 1100px)';
const NARROW = '(max-width: 760px)';


class Console {

    constructor() {
        this.key = memory.get('key') || '';
        this.schema = null;
        this.running = null;           /* AbortController */

        byId('endpoint').textContent = ENDPOINT;

        this.query = new Editor(byId('query-editor'), {
            label: 'GraphQL document', status: 'query-status', comment: '#',
            tokens: colourGraphql,
            complete: (text, offset) => this.schema
                && completeGraphql(text, offset, this.schema),
            describe: (text, offset) => this.describe(text, offset),
            explain: (offset) => this.explain(offset),
            change: () => this.changed(),
            run: () => this.run(),
        });

        this.variables = new Editor(byId('variables-editor'), {
            label: 'Variables, as JSON', status: 'variables-status',
            tokens: lexJson,
            complete: (text, offset) => this.schema
                && completeVariables(text, offset, this.schema,
                                     documentVariables(this.query.text)),
            change: () => this.changed(),
            run: () => this.run(),
        });

        this.result = new CodeView(byId('result'), 'Answer');

        this.docsHost = el('div', { class: 'scroll' });
        this.historyHost = el('div', { class: 'scroll' });
        this.explorer = new Explorer(this.docsHost, {
            insert: (kind, field) => this.insert(kind, field),
        });
        this.history = new History(this.historyHost, {
            use: (entry) => this.restore(entry),
        });

        this.buttons();
        this.splits();
        this.keyDialog();

        this.query.text = memory.get('query') ?? WELCOME;
        this.variables.text = memory.get('variables') ?? '';
        this.check();
        this.connect();

        if (this.key === '') {
            this.askKey();
        } else {
            this.query.area.focus();
        }
    }

    /* ---- buttons -------------------------------------------------------- */

    buttons() {
        byId('run').addEventListener('click', () => {
            if (this.running) {
                this.running.abort();
            } else {
                this.run();
            }
        });
        byId('prettify').addEventListener('click', () => this.prettify());
        byId('copy-curl').addEventListener('click', async (event) => {
            const button = event.currentTarget;
            const done = await copyText(curlCommand(this.query.text,
                this.variables.text, this.operation()));

            flash(button, done ? 'Copied' : 'Not allowed');
        });
        byId('copy-result').addEventListener('click', async (event) => {
            const button = event.currentTarget;

            flash(button, await copyText(this.result.text)
                          ? 'Copied' : 'Not allowed');
        });
        byId('wrap').addEventListener('click', (event) => {
            const on = byId('result').classList.toggle('wrap');

            event.currentTarget.setAttribute('aria-pressed', String(on));
        });
        byId('docs-toggle').addEventListener('click',
            () => this.showSide(this.side === 'docs' ? null : 'docs'));
        byId('history-toggle').addEventListener('click',
            () => this.showSide(this.side === 'history' ? null : 'history'));
        byId('operation').addEventListener('change',
            () => this.query.area.focus());

        document.addEventListener('keydown', (event) => {
            if (byId('key-dialog').open) {
                return;
            }

            if (event.shiftKey && event.altKey && event.code === 'KeyF') {
                event.preventDefault();
                this.prettify();
            } else if ((event.ctrlKey || event.metaKey)
                       && event.key === 'Enter' && !event.defaultPrevented)
            {
                event.preventDefault();
                this.run();
            } else if (event.key === 'Escape' && this.side
                       && byId('side').contains(event.target))
            {
                const button = byId(`${this.side}-toggle`);

                this.showSide(null);
                button.focus();
            }
        });

        if (/Mac|iPhone|iPad/.test(navigator.platform)) {
            document.querySelectorAll('kbd.mod').forEach((kbd) => {
                kbd.textContent = '⌘';
            });
        }
    }

    showSide(side) {
        const host = byId('side');

        this.side = side;
        host.hidden = side === null;
        byId('work').classList.toggle('with-side', side !== null);

        for (const name of ['docs', 'history']) {
            byId(`${name}-toggle`).setAttribute('aria-expanded',
                                                String(side === name));
        }

        if (side === null) {
            host.replaceChildren();
            return;
        }

        host.setAttribute('aria-label', side === 'docs' ? 'Documentation'
                                                        : 'History');
        host.replaceChildren(
            el('div', { class: 'tools' },
               el('h2', { class: 'title' }, side === 'docs'
                  ? 'Documentation' : 'History'),
               el('span', { class: 'gap' }),
               el('button', { type: 'button', class: 'flat',
                              'aria-label': 'Close',
                              onclick: () => this.showSide(null) }, '✕')),
            side === 'docs' ? this.docsHost : this.historyHost);

        if (side === 'docs') {
            this.explorer.draw();
        }
    }

    prettify() {
        try {
            this.query.replaceAll(prettyGraphql(this.query.text));
        } catch (error) {
            if (!(error instanceof GraphqlSyntaxError)) {
                throw error;
            }

            this.query.select(error.start, error.end);
            this.check();
            return;
        }

        if (this.variables.text.trim() !== ''
            && jsonFault(this.variables.text) === null)
        {
            this.variables.replaceAll(prettyJson(this.variables.text));
            this.query.area.focus();
        }
    }

    /* the borders between the panes, by pointer and by arrow keys */
    splits() {
        const split = (id, property, of) => {
            const bar = byId(id);
            const set = (value) => {
                const least = Number(bar.getAttribute('aria-valuemin'));
                const most = Number(bar.getAttribute('aria-valuemax'));
                const now = Math.max(least, Math.min(most, value));

                bar.setAttribute('aria-valuenow', String(Math.round(now)));
                byId('work').style.setProperty(property, `${now}%`);
            };

            bar.addEventListener('pointerdown', (event) => {
                event.preventDefault();
                bar.setPointerCapture(event.pointerId);
            });
            bar.addEventListener('pointermove', (event) => {
                if (bar.hasPointerCapture(event.pointerId)) {
                    set(of(event));
                }
            });
            bar.addEventListener('keydown', (event) => {
                const step = { ArrowUp: 4, ArrowLeft: -4, ArrowDown: -4,
                               ArrowRight: 4 }[event.key];

                if (step !== undefined) {
                    event.preventDefault();
                    set(Number(bar.getAttribute('aria-valuenow')) + step);
                }
            });
        };

        split('split-result', '--request', (event) => {
            const left = byId('work').getBoundingClientRect();
            const right = byId('result-pane').getBoundingClientRect();

            return (event.clientX - left.left) * 100
                   / (right.right - left.left);
        });

        split('split-variables', '--variables', (event) => {
            const pane = document.querySelector('.query')
                .getBoundingClientRect();

            return (pane.bottom - event.clientY) * 100 / pane.height;
        });
    }

    /* ---- the key -------------------------------------------------------- */

    keyDialog() {
        const dialog = byId('key-dialog');
        const input = byId('key');

        byId('key-button').addEventListener('click', () => this.askKey());
        byId('key-cancel').addEventListener('click', () => dialog.close());
        byId('key-forget').addEventListener('click', () => {
            this.setKey('');
            dialog.close();
        });
        byId('key-show').addEventListener('click', (event) => {
            const shown = input.type === 'password';

            input.type = shown ? 'text' : 'password';
            event.currentTarget.textContent = shown ? 'Hide' : 'Show';
            event.currentTarget.setAttribute('aria-pressed', String(shown));
        });
        byId('key-form').addEventListener('submit', (event) => {
            event.preventDefault();
            this.useKey(input.value.trim());
        });
        dialog.addEventListener('close', () => {
            input.value = '';
            input.type = 'password';
            byId('key-show').textContent = 'Show';
            byId('key-show').setAttribute('aria-pressed', 'false');
            this.query.area.focus();
        });
    }

    askKey(note = '') {
        byId('key-note').textContent = note;
        byId('key-forget').hidden = this.key === '';

        if (!byId('key-dialog').open) {
            byId('key-dialog').showModal();
        }

        byId('key').focus();
    }

    /* a key is kept when the endpoint has accepted it */
    async useKey(key) {
        const note = byId('key-note');
        const button = byId('key-use');

        if (!/^[\x21-\x7e]+$/.test(key)) {
            note.textContent = key === ''
                ? 'Paste your API key, such as promptctl key add prints.'
                : 'There are characters in it that no key has.';
            return;
        }

        note.textContent = '';
        button.disabled = true;

        try {
            const answer = await send(key, requestBody('{ __typename }', ''));

            if (answer.status === 401) {
                note.textContent = 'The endpoint does not know this key.';
            } else if (!answer.json) {
                note.textContent = `${ENDPOINT} answered with status ${
                    answer.status}, and no GraphQL.`;
            } else {
                this.setKey(key);
                byId('key-dialog').close();
            }
        } catch {
            note.textContent = `${ENDPOINT} cannot be reached.`;
        }

        button.disabled = false;
    }

    setKey(key) {
        this.key = key;

        if (key === '') {
            memory.remove('key');
        } else {
            memory.set('key', key);
        }

        this.connect();
    }

    keyState(state, label) {
        byId('key-button').dataset.state = state;
        byId('key-label').textContent = label;
    }

    /* ---- who speaks, and the schema -------------------------------------- */

    connect() {
        this.schema = null;
        this.connection = (this.connection || 0) + 1;

        if (this.key === '') {
            this.keyState('none', 'API key');
            this.explorer.setNote('Documentation and completion come from the '
                + 'endpoint, which needs your API key.', 'Enter the key',
                () => this.askKey());
            return;
        }

        this.keyState('good', 'API key');
        this.explorer.schema = null;
        this.explorer.note = null;
        this.explorer.draw();
        this.readAccount(this.connection);
        this.readSchema(this.connection);
    }

    async readAccount(connection) {
        try {
            const answer = await send(this.key, requestBody(
                'query ConsoleAccount { me { email } }', ''));

            if (connection !== this.connection) {
                return;
            }

            if (answer.status === 401) {
                this.refused();
            } else if (answer.json && answer.json.data
                       && answer.json.data.me)
            {
                this.keyState('good', answer.json.data.me.email);
            }
        } catch {
            /* what reads the schema says it */
        }
    }

    refused() {
        this.keyState('bad', 'Key refused');
    }

    async readSchema(connection) {
        const again = () => this.connect();
        let answer;

        try {
            answer = await send(this.key, requestBody(INTROSPECTION, ''));
        } catch {
            if (connection === this.connection) {
                this.explorer.setNote(`${ENDPOINT} cannot be reached.`,
                                      'Try again', again);
            }

            return;
        }

        if (connection !== this.connection) {
            return;
        }

        if (answer.status === 401) {
            this.refused();
            this.explorer.setNote('The endpoint does not accept the key.',
                                  'Enter another key', () => this.askKey());

        } else if (answer.json && answer.json.data
                   && answer.json.data.__schema)
        {
            this.schema = new Schema(answer.json.data);
            this.explorer.setSchema(this.schema);
            this.check();

        } else if (answer.json && answer.json.errors) {
            this.explorer.setNote('Introspection is off at this endpoint, so '
                + 'there is no documentation and no completion here. '
                + 'Operations run all the same. '
                + `(${answer.json.errors[0].message})`, 'Try again', again);

        } else {
            this.explorer.setNote(`${ENDPOINT} answered with status ${
                answer.status}, and no GraphQL.`, 'Try again', again);
        }
    }

    /* ---- help in the editor ----------------------------------------------- */

    meaning(text, offset) {
        if (!this.schema) {
            return null;
        }

        const { meanings } = insight(text, this.schema);

        for (const [token, meaning] of meanings) {
            if (token.start <= offset && offset <= token.end) {
                return { token, meaning };
            }
        }

        return null;
    }

    describe(text, offset) {
        const found = this.meaning(text, offset);

        if (!found) {
            return null;
        }

        const { token, meaning } = found;
        const { start, end } = token;

        switch (meaning.kind) {

        case 'field': {
            const args = [...meaning.field.args.values()].map(
                (arg) => `${arg.name}: ${typeText(arg.type)}`).join(', ');

            return { start, end, doc: meaning.field.description,
                     title: `${meaning.parent ? `${meaning.parent.name}.` : ''
                             }${meaning.field.name}${args && `(${args})`}: ${
                             typeText(meaning.field.type)}` };
        }

        case 'argument':
            return { start, end, doc: meaning.arg.description,
                     title: `${meaning.arg.name}: ${typeText(meaning.arg.type)
                             }${meaning.arg.defaultValue
                                ? ` = ${meaning.arg.defaultValue}` : ''}` };

        case 'type':
            return { start, end, doc: meaning.type.description,
                     title: `${meaning.type.kind.toLowerCase()
                             .replace('_', ' ')} ${meaning.type.name}` };

        case 'enum':
            return { start, end, doc: meaning.value.description,
                     title: `${meaning.type.name}.${meaning.value.name}` };

        case 'variable':
            return { start, end, doc: '',
                     title: `${meaning.name}: ${meaning.type
                             || 'not declared'}` };

        case 'directive':
            return { start, end, doc: meaning.directive.description,
                     title: `@${meaning.directive.name}` };

        default:
            return null;
        }
    }

    explain(offset) {
        const found = this.meaning(this.query.text, offset);

        this.showSide('docs');

        if (found) {
            this.explorer.explain(found.meaning);
        }
    }

    insert(kind, field) {
        const sample = this.schema.operation(kind, field);
        const text = this.query.text;
        const before = text.trim() === '' || text === WELCOME
                       ? '' : `${text.trimEnd()}\n\n`;
        let variables;

        try {
            variables = JSON.parse(this.variables.text.trim() || '{}');
        } catch {
            variables = null;
        }

        if (variables) {
            const missing = Object.entries(sample.variables).filter(
                ([name]) => !(name in variables));

            if (missing.length > 0) {
                this.variables.replaceAll(JSON.stringify({
                    ...variables, ...Object.fromEntries(missing),
                }, null, 2));
            }
        }

        if (matchMedia(COVERED).matches) {
            this.showSide(null);
        }

        this.query.replaceAll(before + sample.text, before.length);
        this.query.reveal(before.length);
        this.check();
    }

    restore(entry) {
        if (matchMedia(COVERED).matches) {
            this.showSide(null);
        }

        this.variables.replaceAll(entry.variables);
        this.query.replaceAll(entry.query);
        this.query.area.focus();
        this.check();
    }

    /* ---- what is wrong before it is sent ----------------------------------- */

    changed() {
        clearTimeout(this.checking);
        this.checking = setTimeout(() => this.check(), CHECK_DELAY);
    }

    check() {
        const text = this.query.text;
        let marks = [];

        clearTimeout(this.checking);
        memory.set('query', text);
        memory.set('variables', this.variables.text);

        try {
            this.definitions = parseGraphql(text).filter(
                (node) => node.kind !== 'fragment');

            if (this.schema) {
                marks = insight(text, this.schema).faults;
            }

            if (this.query.marks.length === 0) {
                this.query.mark(marks);
            }

            this.say('query', this.query);

        } catch (error) {
            if (!(error instanceof GraphqlSyntaxError)) {
                throw error;
            }

            this.definitions = [];

            if (text.trim() !== '') {
                this.query.mark([error]);
                this.say('query', this.query);
            }
        }

        const fault = jsonFault(this.variables.text);

        this.variables.mark(fault ? [fault] : []);
        this.say('variables', this.variables);
        this.operations();
    }

    say(name, editor) {
        const mark = editor.marks[0];

        byId(`${name}-status`).textContent = mark ? `Line ${
            editor.text.slice(0, mark.start).split('\n').length}: ${
            mark.message}` : '';
    }

    operations() {
        const select = byId('operation');
        const names = this.definitions.map((node) => node.name)
            .filter(Boolean);
        const chosen = select.value;

        if (names.join() === [...select.options].map(
            (option) => option.value).join())
        {
            return;
        }

        select.replaceChildren(...names.map(
            (name) => el('option', { value: name }, name)));
        select.hidden = names.length < 2;

        if (names.includes(chosen)) {
            select.value = chosen;
        }
    }

    /* the operation to run: the one under the caret, else the chosen one */
    operation() {
        if (this.definitions.length < 2) {
            return undefined;
        }

        const area = this.query.area;
        const select = byId('operation');

        if (document.activeElement === area) {
            const under = this.definitions.find(
                (node) => node.name && node.start <= area.selectionStart
                          && area.selectionStart <= node.end);

            if (under) {
                select.value = under.name;
            }
        }

        return select.value || undefined;
    }

    /* ---- running -------------------------------------------------------- */

    async run() {
        if (this.running) {
            return;
        }

        if (this.key === '') {
            this.askKey();
            return;
        }

        this.check();

        const entry = {
            query: this.query.text,
            variables: this.variables.text,
            operation: this.operation(),
            time: new Date().toISOString(),
            ok: false,
        };

        if (jsonFault(entry.variables) !== null) {
            const [mark] = this.variables.marks;

            this.variables.select(mark.start, mark.end);
            return;
        }

        this.running = new AbortController();
        this.runState(true);

        try {
            const answer = await send(this.key, requestBody(entry.query,
                entry.variables, entry.operation), this.running.signal);

            entry.ok = answer.ok && !(answer.json && answer.json.errors);
            this.show(answer, entry.query);

        } catch (error) {
            this.showFailure(error.name === 'AbortError'
                ? 'Stopped. What the endpoint had begun may still be done.'
                : `${ENDPOINT} cannot be reached.`);
        }

        this.running = null;
        this.runState(false);
        this.history.add(entry);

        if (matchMedia(NARROW).matches) {
            byId('result-pane').scrollIntoView({ block: 'nearest' });
        }
    }

    runState(running) {
        byId('run-label').textContent = running ? 'Stop' : 'Run';
        byId('run-icon').setAttribute('d', running ? 'M5 5h10v10H5z'
                                                   : 'M6 4l10 6-10 6z');
        byId('result-pane').classList.toggle('running', running);
        byId('result-pane').setAttribute('aria-busy', String(running));
    }

    chip(text, state) {
        return el('span', { class: `chip ${state || ''}` }, text);
    }

    show(answer, query) {
        const errors = (answer.json && answer.json.errors) || [];
        const size = new Blob([answer.text]).size;

        byId('empty').hidden = true;
        byId('copy-result').hidden = false;
        byId('wrap').hidden = false;
        byId('chips').replaceChildren(
            this.chip(String(answer.status), !answer.ok ? 'bad'
                      : errors.length > 0 ? 'warn' : 'good'),
            this.chip(answer.ms < 1000 ? `${Math.round(answer.ms)} ms`
                                       : `${(answer.ms / 1000).toFixed(2)} s`),
            this.chip(size < 1024 ? `${size} B`
                                  : `${(size / 1024).toFixed(1)} KB`));

        if (answer.json !== undefined) {
            this.result.show(prettyJson(answer.text), lexJson);
        } else {
            this.result.show(answer.text, null);
        }

        if (answer.status === 401) {
            this.refused();
        }

        this.showErrors(errors, query);
    }

    showFailure(text) {
        byId('empty').hidden = true;
        byId('copy-result').hidden = true;
        byId('wrap').hidden = true;
        byId('chips').replaceChildren(this.chip('no answer', 'bad'));
        this.result.show('', null);
        this.showErrors([{ message: text }], '');
    }

    /* in the list, and in the editor where they have a place */
    showErrors(errors, query) {
        const list = byId('errors');
        const same = query === this.query.text;
        const marks = [];

        list.hidden = errors.length === 0;
        list.replaceChildren(...errors.slice(0, 100).map((error) => {
            const item = el('li', {});
            const code = error.extensions && error.extensions.code;
            const path = Array.isArray(error.path) ? error.path.join('.') : '';

            item.append(
                code ? this.chip(code, 'bad') : '',
                el('span', { class: 'message' }, String(error.message)),
                path ? el('code', { class: 'dim' }, path) : '');

            for (const place of error.locations || []) {
                const start = this.query.offsetOf(place.line, place.column);
                const token = lexGraphql(query).find(
                    (at) => at.start <= start && start < at.end);
                const end = token ? token.end : start + 1;

                if (same) {
                    marks.push({ start, end, message: error.message });
                }

                item.append(el('button', {
                    type: 'button', class: 'link',
                    title: 'Show it in the document',
                    onclick: () => this.query.select(start, end),
                }, `line ${place.line}, column ${place.column}`));
            }

            return item;
        }));

        if (same && marks.length > 0) {
            this.query.mark(marks);
            this.say('query', this.query);
        }
    }
}


/* when all of the script has been read, in whatever order it stands */

document.addEventListener('DOMContentLoaded', () => new Console());
