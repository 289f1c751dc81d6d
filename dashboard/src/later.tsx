// A part of the page that is loaded when it is needed; what does not come is
// said in its place.

import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { Button } from "./ui/button.tsx";
import { Icon } from "./ui/icons.tsx";

function NotLoaded() {
    return (
        <div class="note bad" role="alert">
            <Icon name="warning" />
            <div class="note-text">
                <p>This page could not be loaded</p>
                <p class="muted">
                    Check the connection and reload it. What you typed on other
                    pages is kept.
                </p>
            </div>
            <Button small onClick={() => location.reload()}>
                Reload
            </Button>
        </div>
    );
}

/** A browser keeps that a file did not come: only a new page asks again. */
export function later<P>(
    load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
    return lazy<ComponentType<P>>(() =>
        load().catch(() => ({
            default: NotLoaded as ComponentType<P>,
        })),
    );
}
