/*
 * The side: documentation of the schema, and the history of this tab.
 */

class Explorer {

    /* options: insert(kind, field), retry(), askKey() */
    constructor(host, options) {
        this.host = host;
        this.options = options;
        this.schema = null;
        this.trail = [];               /* where the reader came from */
        this.note = null;
        this.search = '';
    }

    setSchema(schema) {
        this.schema = schema;
        this.note = null;
        this.trail = [];
        this.draw();
    }

    /* why there is no schema: text, and what a button could do */
    setNote(text, label, action) {
        this.schema = null;
        this.note = { text, label, action };
        this.trail = [];
        this.draw();
    }

    go(page) {
        this.trail.push(page);
        this.search = '';
        this.draw();
        this.host.scrollTop = 0;

        const heading = this.host.querySelector('h3');

        if (heading && this.host.contains(document.activeElement)) {
            heading.focus();
        }
    }

    back() {
        this.trail.pop();
        this.draw();
        (this.host.querySelector('.back')
         || this.host.querySelector('input')).focus();
    }

    /* from the editor: what a word means */
    explain(meaning) {
        switch (meaning.kind) {

        case 'field':
            this.go({ kind: 'field', parent: meaning.parent,
                      field: meaning.field });
            break;

        case 'type':
            this.go({ kind: 'type', type: meaning.type });
            break;

        case 'enum':
            this.go({ kind: 'type', type: meaning.type });
            break;

        case 'argument':
            this.go({ kind: 'type',
                      type: this.schema.named(meaning.arg.type) });
            break;
        }
    }

    draw() {
        const page = this.trail[this.trail.length - 1];
        const body = el('div', { class: 'docs' });

        if (this.note) {
            body.append(el('p', { class: 'notice' }, this.note.text),
                        this.note.label
                        ? el('button', { type: 'button', class: 'primary',
                                         onclick: this.note.action },
                             this.note.label) : '',
                        this.keyboard());

        } else if (!this.schema) {
            body.append(el('p', { class: 'notice' }, 'The schema is read…'));

        } else if (page === undefined) {
            this.home(body);

        } else {
            body.append(el('button', {
                type: 'button', class: 'flat back',
                onclick: () => this.back(),
            }, '← ', this.title(this.trail[this.trail.length - 2])));

            if (page.kind === 'field') {
                this.fieldPage(body, page);
            } else {
                this.typePage(body, page.type);
            }
        }

        this.host.replaceChildren(body);
    }

    title(page) {
        if (page === undefined) {
            return 'All of the API';
        }

        return page.kind === 'field' ? page.field.name : page.type.name;
    }

    home(body) {
        const results = el('div', { 'aria-live': 'polite' });
        const input = el('input', {
            type: 'search', placeholder: 'Search types and fields',
            'aria-label': 'Search the documentation', spellcheck: 'false',
            oninput: () => {
                this.search = input.value;
                this.results(results);
            },
        });

        input.value = this.search;
        body.append(input, results);
        this.results(results);
    }

    results(host) {
        const words = this.search.trim().toLowerCase();
        const parts = [];

        if (words !== '') {
            this.found(words, parts);
            host.replaceChildren(...parts);
            return;
        }

        for (const [kind, root] of Object.entries(this.schema.roots)) {
            parts.push(this.section({ query: 'Queries',
                                      mutation: 'Mutations' }[kind] || kind,
                [...root.fields.values()].map(
                    (field) => this.fieldRow(root, field))));
        }

        const roots = new Set(Object.values(this.schema.roots));
        const kinds = [['OBJECT', 'Objects'], ['INTERFACE', 'Interfaces'],
                       ['UNION', 'Unions'], ['INPUT_OBJECT', 'Inputs'],
                       ['ENUM', 'Enumerations'], ['SCALAR', 'Scalars']];

        for (const [kind, label] of kinds) {
            const types = [...this.schema.types.values()].filter(
                (type) => type.kind === kind && !roots.has(type)
                          && !type.name.startsWith('__'));

            if (types.length > 0) {
                parts.push(this.section(label, [el('p', { class: 'cloud' },
                    ...types.map((type) => this.typeLink(type.name)))]));
            }
        }

        host.replaceChildren(...parts, this.keyboard());
    }

    found(words, parts) {
        const has = (...texts) => texts.some(
            (text) => (text || '').toLowerCase().includes(words));
        const types = [];
        const fields = [];

        for (const type of this.schema.types.values()) {
            if (type.name.startsWith('__')) {
                continue;
            }

            if (has(type.name)) {
                types.push(type);
            }

            for (const field of [...type.fields.values(),
                                 ...type.inputFields.values()])
            {
                if (has(field.name)) {
                    fields.push([type, field]);
                }
            }

            for (const value of type.enumValues.values()) {
                if (has(value.name) && !types.includes(type)) {
                    types.push(type);
                }
            }
        }

        if (types.length > 0) {
            parts.push(this.section('Types', [el('p', { class: 'cloud' },
                ...types.map((type) => this.typeLink(type.name)))]));
        }

        if (fields.length > 0) {
            parts.push(this.section('Fields', fields.slice(0, 100).map(
                ([type, field]) => this.fieldRow(type, field, true))));
        }

        if (parts.length === 0) {
            parts.push(el('p', { class: 'notice' }, 'Nothing has that name.'));
        }
    }

    keyboard() {
        const keys = [
            [['Ctrl', 'Enter'], 'run the operation under the caret'],
            [['Ctrl', 'Space'], 'complete'],
            [['F1'], 'explain the word under the caret'],
            [['Shift', 'Alt', 'F'], 'prettify'],
            [['Ctrl', '/'], 'comment out'],
            [['Esc', 'Tab'], 'leave the editor'],
        ];

        return this.section('Keyboard', [el('dl', { class: 'keys' },
            ...keys.flatMap(([names, what]) => [
                el('dt', {}, ...names.map((name) => el('kbd', {}, name))),
                el('dd', {}, what),
            ]))]);
    }

    section(title, rows) {
        return el('section', {}, el('h4', {}, title), ...rows);
    }

    typeLink(name, text = name) {
        const type = this.schema.types.get(name);

        return type ? el('button', {
            type: 'button', class: 'link t-type',
            onclick: () => this.go({ kind: 'type', type }),
        }, text) : text;
    }

    /* [Prompt!]! with a link in it */
    typeReference(type) {
        const text = typeText(type);
        const named = this.schema.named(type);
        const name = named ? named.name : '';
        const at = text.indexOf(name);

        return named ? el('span', { class: 'reference' }, text.slice(0, at),
                          this.typeLink(name), text.slice(at + name.length))
                     : el('span', {}, text);
    }

    fieldRow(parent, field, qualified) {
        const args = field.args ? [...field.args.values()] : [];
        const name = el('button', {
            type: 'button', class: 'link t-field',
            onclick: () => this.go({ kind: 'field', parent, field }),
        }, field.name);

        return el('div', { class: field.isDeprecated ? 'entry old' : 'entry' },
            el('code', {}, qualified ? `${parent.name}.` : '', name,
               args.length > 0 ? el('span', { class: 'dim' }, `(${
                   args.map((arg) => arg.name).join(', ')})`) : '',
               ': ', this.typeReference(field.type)),
            prose(field.description),
            field.isDeprecated ? el('p', { class: 'wrong' }, `Deprecated. ${
                field.deprecationReason || ''}`) : '');
    }

    argumentRow(arg) {
        return el('div', { class: 'entry' },
            el('code', {}, el('span', { class: 't-argument' }, arg.name),
               ': ', this.typeReference(arg.type),
               arg.defaultValue ? el('span', { class: 'dim' },
                                     ` = ${arg.defaultValue}`) : ''),
            prose(arg.description));
    }

    fieldPage(body, { parent, field }) {
        const kind = Object.keys(this.schema.roots).find(
            (root) => this.schema.roots[root] === parent);

        body.append(
            el('h3', { tabindex: '-1' }, parent && !kind
               ? el('span', { class: 'dim' }, `${parent.name}.`) : '',
               field.name),
            el('p', { class: 'type' }, this.typeReference(field.type)),
            prose(field.description));

        if (field.isDeprecated) {
            body.append(el('p', { class: 'wrong' }, `Deprecated. ${
                field.deprecationReason || ''}`));
        }

        if (kind && this.schema.roots[kind].fields.has(field.name)) {
            body.append(el('button', {
                type: 'button', class: 'primary insert',
                onclick: () => this.options.insert(kind, field),
            }, 'Use in the editor'));
        }

        if (field.args && field.args.size > 0) {
            body.append(this.section('Arguments', [...field.args.values()]
                .map((arg) => this.argumentRow(arg))));
        }

        const type = this.schema.named(field.type);

        if (type) {
            this.members(body, type);
        }
    }

    typePage(body, type) {
        body.append(el('h3', { tabindex: '-1' }, type.name),
                    el('p', { class: 'dim' }, type.kind.toLowerCase()
                       .replace('_', ' ')),
                    prose(type.description));
        this.members(body, type);
    }

    members(body, type) {
        if (type.fields.size > 0) {
            body.append(this.section(`Fields of ${type.name}`,
                [...type.fields.values()].map(
                    (field) => this.fieldRow(type, field))));
        }

        if (type.inputFields.size > 0) {
            body.append(this.section(`Fields of ${type.name}`,
                [...type.inputFields.values()].map(
                    (field) => this.argumentRow(field))));
        }

        if (type.enumValues.size > 0) {
            body.append(this.section(`Values of ${type.name}`,
                [...type.enumValues.values()].map((value) => el('div',
                    { class: value.isDeprecated ? 'entry old' : 'entry' },
                    el('code', { class: 't-constant' }, value.name),
                    prose(value.description)))));
        }

        for (const [label, list] of [['Implements', type.interfaces],
                                     ['Possible types', type.possibleTypes]])
        {
            if (list && list.length > 0) {
                body.append(this.section(label, [el('p', { class: 'cloud' },
                    ...list.map((other) => this.typeLink(other.name)))]));
            }
        }
    }
}
