/*
 * The two helpers of an editor: the list of what may come, and the note on
 * what stands under the pointer.
 */

let completions = 0;


class Completion {

    constructor(editor) {
        const id = `completion-${++completions}`;

        this.editor = editor;
        this.list = el('ul', { class: 'choices', role: 'listbox', id,
                               'aria-label': 'Completions' });
        this.doc = el('div', { class: 'choice-doc' });
        this.box = el('div', { class: 'completion', hidden: true }, this.list,
                      this.doc);
        this.items = [];
        this.chosen = 0;

        editor.area.setAttribute('aria-controls', id);
        document.body.append(this.box);

        /* the editor keeps the focus */
        this.box.addEventListener('mousedown', (event) => {
            event.preventDefault();

            const item = event.target.closest('li');

            if (item) {
                this.chosen = [...this.list.children].indexOf(item);
                this.accept();
            }
        });
    }

    get isOpen() {
        return !this.box.hidden;
    }

    /* asked: by a key of its own, so that an empty word is completed, too */
    open(asked) {
        const { area, options, text } = this.editor;
        const offset = area.selectionStart;
        const found = options.complete && area.selectionEnd === offset
                      ? options.complete(text, offset) : null;

        if (!found) {
            this.close();
            return;
        }

        const word = text.slice(found.start, offset).replace(/^"/, '')
            .toLowerCase();
        const rank = (item) => {
            const label = item.label.toLowerCase();

            return label.startsWith(word) ? 0 : label.includes(word) ? 1 : 2;
        };

        this.start = found.start;
        this.over = found.over || 0;
        this.items = found.items.filter((item) => rank(item) < 2)
            .sort((a, b) => rank(a) - rank(b));

        if (this.items.length === 0
            || (!asked && this.items.some(
                    (item) => item.label.toLowerCase() === word)
                && this.items.length === 1))
        {
            this.close();
            return;
        }

        this.chosen = 0;
        this.draw(word);
    }

    draw(word) {
        this.list.replaceChildren(...this.items.map((item, i) => {
            const at = item.label.toLowerCase().indexOf(word);

            return el('li', { role: 'option', id: `${this.list.id}-${i}` },
                      el('span', { class: 'choice' },
                         item.label.slice(0, at),
                         el('b', {}, item.label.slice(at, at + word.length)),
                         item.label.slice(at + word.length)),
                      el('span', { class: 'dim' }, item.detail || ''));
        }));

        this.box.hidden = false;
        this.choose(0);

        const place = this.editor.place(this.start);
        const box = this.box.getBoundingClientRect();
        const below = place.top + EDITOR_LINE + 2;
        const top = below + box.height > innerHeight - 8
                    && place.top - box.height - 2 > 0
                    ? place.top - box.height - 2 : below;

        this.box.style.left = `${Math.max(8, Math.min(place.left - 10,
            innerWidth - box.width - 8))}px`;
        this.box.style.top = `${top}px`;
    }

    choose(i) {
        const options = this.list.children;

        if (options[this.chosen]) {
            options[this.chosen].removeAttribute('aria-selected');
        }

        this.chosen = (i + options.length) % options.length;

        const option = options[this.chosen];

        option.setAttribute('aria-selected', 'true');
        option.scrollIntoView({ block: 'nearest' });
        this.editor.area.setAttribute('aria-activedescendant', option.id);
        this.doc.replaceChildren(prose(this.items[this.chosen].doc));
        this.doc.hidden = !this.items[this.chosen].doc;
    }

    accept() {
        const item = this.items[this.chosen];
        const { area, text } = this.editor;
        const end = area.selectionStart + this.over;
        const line = text.slice(0, this.start).split('\n').pop();
        const indent = /^ */.exec(line)[0];
        let { insert, caret } = item;

        this.close();

        /* what is there already is not inserted once more */
        if (caret !== undefined && /^\s*[({]/.test(text.slice(end))) {
            insert = item.label;
            caret = undefined;
        }

        if (insert.endsWith(': ') && /^\s*:/.test(text.slice(end))) {
            insert = insert.slice(0, -2);
        }

        insert = insert.replace(/\n/g, `\n${indent}`);

        if (caret !== undefined && item.insert.includes('\n')) {
            caret += indent.length;
        }

        this.editor.replace(this.start, end, insert,
                            this.start + (caret ?? insert.length));

        if (caret !== undefined || insert.endsWith(': ')
            || insert.endsWith('on '))
        {
            this.open(true);
        }
    }

    /* whether the key was for the list */
    key(event) {
        if (!this.isOpen) {
            return false;
        }

        switch (event.key) {

        case 'ArrowDown':
            this.choose(this.chosen + 1);
            return true;

        case 'ArrowUp':
            this.choose(this.chosen - 1);
            return true;

        case 'PageDown':
            this.choose(Math.min(this.chosen + 8, this.items.length - 1));
            return true;

        case 'PageUp':
            this.choose(Math.max(this.chosen - 8, 0));
            return true;

        case 'Enter':
        case 'Tab':
            this.accept();
            return true;

        case 'Escape':
            this.close();
            return true;

        case 'ArrowLeft':
        case 'ArrowRight':
        case 'Home':
        case 'End':
            this.close();
            return false;

        default:
            return false;
        }
    }

    close() {
        this.box.hidden = true;
        this.editor.area.removeAttribute('aria-activedescendant');
    }
}


const HOVER_DELAY = 300;               /* ms */

class Hover {

    constructor(editor) {
        this.editor = editor;
        this.box = el('div', { class: 'hover', role: 'tooltip',
                               hidden: true });
        document.body.append(this.box);

        editor.area.addEventListener('mousemove', (event) => {
            this.later(event.clientX, event.clientY);
        });
        editor.area.addEventListener('mouseleave', () => this.close());
        editor.area.addEventListener('mousedown', () => this.close());
        editor.host.addEventListener('scroll', () => this.close());
    }

    later(x, y) {
        clearTimeout(this.timer);

        const offset = this.editor.offsetAt(x, y);

        if (offset < 0 || offset < this.start || offset >= this.end) {
            this.box.hidden = true;
        }

        if (offset >= 0 && this.box.hidden) {
            this.timer = setTimeout(() => this.show(offset), HOVER_DELAY);
        }
    }

    /* what is wrong there first, then what it means */
    show(offset) {
        const { marks, options, text } = this.editor;
        const wrong = marks.filter((mark) => mark.start <= offset
                                             && offset < mark.end);
        const found = options.describe && options.describe(text, offset);

        if (this.editor.completion.isOpen || (wrong.length === 0 && !found)) {
            return;
        }

        this.start = found ? found.start : wrong[0].start;
        this.end = found ? found.end : wrong[0].end;
        this.box.replaceChildren(
            ...wrong.map((mark) => el('p', { class: 'wrong' }, mark.message)),
            ...(found ? [el('code', { class: 'signature' }, found.title),
                         prose(found.doc)] : []));
        this.box.hidden = false;

        const place = this.editor.place(this.start);
        const box = this.box.getBoundingClientRect();
        const above = place.top - box.height - 4;
        const host = this.editor.host.getBoundingClientRect();

        this.box.style.left = `${Math.max(8, Math.min(place.left,
            innerWidth - box.width - 8))}px`;
        this.box.style.top = `${above > host.top ? above
                                          : place.top + EDITOR_LINE + 4}px`;
    }

    close() {
        clearTimeout(this.timer);
        this.box.hidden = true;
    }
}
