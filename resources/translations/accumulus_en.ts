<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>accumulus::ui::AuditUpdatesView</name>
    <message numerus="yes">
        <source>After %n update(s) the weights of both ways are %1 apart. The large batch is %2 apart from itself with the samples of each batch in another order: what stays below that is rounding that grew.</source>
        <translation>
            <numerusform>After %n update the weights of both ways are %1 apart. The large batch is %2 apart from itself with the samples of each batch in another order: what stays below that is rounding that grew.</numerusform>
            <numerusform>After %n updates the weights of both ways are %1 apart. The large batch is %2 apart from itself with the samples of each batch in another order: what stays below that is rounding that grew.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::BatchBar</name>
    <message numerus="yes">
        <source>Effective batch of %1 samples in %n micro-batch(es) of %2; %3 done</source>
        <translation>
            <numerusform>Effective batch of %1 samples in %n micro-batch of %2; %3 done</numerusform>
            <numerusform>Effective batch of %1 samples in %n micro-batches of %2; %3 done</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ComparePlots</name>
    <message numerus="yes">
        <source>mean of %n pair(s)</source>
        <translation>
            <numerusform>mean of %n pair</numerusform>
            <numerusform>mean of %n pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) had to be interpolated.</source>
        <translation>
            <numerusform>%n value had to be interpolated.</numerusform>
            <numerusform>%n values had to be interpolated.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::EmptyTrashDialog</name>
    <message numerus="yes">
        <source>Delete %n run(s) for good?</source>
        <translation>
            <numerusform>Delete %n run for good?</numerusform>
            <numerusform>Delete %n runs for good?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Their curves, notes and %n file(s) (%1) are removed. This cannot be undone.</source>
        <translation>
            <numerusform>Their curves, notes and %n file (%1) are removed. This cannot be undone.</numerusform>
            <numerusform>Their curves, notes and %n files (%1) are removed. This cannot be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::FoundCard</name>
    <message numerus="yes">
        <source>The first %n sample(s)</source>
        <translation>
            <numerusform>The first %n sample</numerusform>
            <numerusform>The first %n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::InterruptedBar</name>
    <message numerus="yes">
        <source>%n run(s) of a study left unfinished have not started.</source>
        <translation>
            <numerusform>%n run of a study left unfinished has not started.</numerusform>
            <numerusform>%n runs of a study left unfinished have not started.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted before their end.</source>
        <translation>
            <numerusform>%n run was interrupted before its end.</numerusform>
            <numerusform>%n runs were interrupted before their end.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) interrupted</source>
        <translation>
            <numerusform>%n run interrupted</numerusform>
            <numerusform>%n runs interrupted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) not started</source>
        <translation>
            <numerusform>%n run not started</numerusform>
            <numerusform>%n runs not started</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LibraryEdits</name>
    <message numerus="yes">
        <source>Move %n run(s) to Trash</source>
        <translation>
            <numerusform>Move %n run to Trash</numerusform>
            <numerusform>Move %n runs to Trash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %n run(s)</source>
        <translation>
            <numerusform>Restore %n run</numerusform>
            <numerusform>Restore %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LibraryPage</name>
    <message numerus="yes">
        <source>%n run(s) moved to Trash.</source>
        <translation>
            <numerusform>%n run moved to Trash.</numerusform>
            <numerusform>%n runs moved to Trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted.</source>
        <translation>
            <numerusform>%n run deleted.</numerusform>
            <numerusform>%n runs deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files saved.</source>
        <translation>
            <numerusform>%n file saved.</numerusform>
            <numerusform>%n files saved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exporting %n file(s)…</source>
        <translation>
            <numerusform>Exporting %n file…</numerusform>
            <numerusform>Exporting %n files…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume %n run(s)</source>
        <translation>
            <numerusform>Resume %n run</numerusform>
            <numerusform>Resume %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LiveHeader</name>
    <message numerus="yes">
        <source>%n run(s) that did not come to their end go on</source>
        <translation>
            <numerusform>%n run that did not come to its end goes on</numerusform>
            <numerusform>%n runs that did not come to their end go on</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunExports</name>
    <message numerus="yes">
        <source>Folder for %n file(s)</source>
        <translation>
            <numerusform>Folder for %n file</numerusform>
            <numerusform>Folder for %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunInspector</name>
    <message numerus="yes">
        <source>%n runs are selected.</source>
        <translation>
            <numerusform>%n run is selected.</numerusform>
            <numerusform>%n runs are selected.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunNarrator</name>
    <message numerus="yes">
        <source>%n run(s) of a study go on.</source>
        <translation>
            <numerusform>%n run of a study goes on.</numerusform>
            <numerusform>%n runs of a study go on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The study “%1” begins: %n run(s).</source>
        <translation>
            <numerusform>The study “%1” begins: %n run.</numerusform>
            <numerusform>The study “%1” begins: %n runs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n update(s)</source>
        <translation>
            <numerusform>%n update</numerusform>
            <numerusform>%n updates</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SampleStrip</name>
    <message numerus="yes">
        <source>The first %n sample(s)</source>
        <translation>
            <numerusform>The first %n sample</numerusform>
            <numerusform>The first %n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::TimeSplit</name>
    <message numerus="yes">
        <source>Mean of the newest %n window(s).</source>
        <translation>
            <numerusform>Mean of the newest %n window.</numerusform>
            <numerusform>Mean of the newest %n windows.</numerusform>
        </translation>
    </message>
</context>
</TS>
