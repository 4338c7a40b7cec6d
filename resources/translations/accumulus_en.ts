<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>accumulus::ui::AuditUpdatesView</name>
    <message numerus="yes">
        <source>After %n update(s), the weights of both ways are %1 apart. Reordering the samples of each batch moves the large batch&apos;s weights by %2; any distance below that is accumulated rounding.</source>
        <translation>
            <numerusform>After %n update, the weights of both ways are %1 apart. Reordering the samples of each batch moves the large batch&apos;s weights by %2; any distance below that is accumulated rounding.</numerusform>
            <numerusform>After %n updates, the weights of both ways are %1 apart. Reordering the samples of each batch moves the large batch&apos;s weights by %2; any distance below that is accumulated rounding.</numerusform>
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
    <name>accumulus::ui::CheckpointList</name>
    <message numerus="yes">
        <source>The newest %n periodic checkpoint(s) stay(s), besides the best, the last and the initial one where they are saved.</source>
        <translation>
            <numerusform>The newest %n periodic checkpoint stays, besides the best, the last and the initial one where they are saved.</numerusform>
            <numerusform>The newest %n periodic checkpoints stay, besides the best, the last and the initial one where they are saved.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CompareFields</name>
    <message numerus="yes">
        <source>%n more metric(s)</source>
        <translation>
            <numerusform>%n more metric</numerusform>
            <numerusform>%n more metrics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of chosen runs</source>
        <translation>
            <numerusform>%n group of chosen runs</numerusform>
            <numerusform>%n groups of chosen runs</numerusform>
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
        <source>%n value(s) had to be interpolated, inside the range that both curves of a pair share.</source>
        <translation>
            <numerusform>%n value had to be interpolated, inside the range that both curves of a pair share.</numerusform>
            <numerusform>%n values had to be interpolated, inside the range that both curves of a pair share.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Training loss, smoothed (centred mean of %n window(s))</source>
        <translation>
            <numerusform>Training loss, smoothed (centred mean of %n window)</numerusform>
            <numerusform>Training loss, smoothed (centred mean of %n windows)</numerusform>
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
    <name>accumulus::ui::GroupEditor</name>
    <message numerus="yes">
        <source>%1: %n run(s)</source>
        <comment>letter of a group</comment>
        <translation>
            <numerusform>%1: %n run</numerusform>
            <numerusform>%1: %n runs</numerusform>
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
    <message numerus="yes">
        <source>Edit %n run(s)</source>
        <translation>
            <numerusform>Edit %n run</numerusform>
            <numerusform>Edit %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LibraryPage</name>
    <message numerus="yes">
        <source>What was typed for %n run(s) is not applied yet.</source>
        <translation>
            <numerusform>What was typed for %n run is not applied yet.</numerusform>
            <numerusform>What was typed for %n runs is not applied yet.</numerusform>
        </translation>
    </message>
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
    <message numerus="yes">
        <source>%1 in %n group(s)</source>
        <translation>
            <numerusform>%1 in %n group</numerusform>
            <numerusform>%1 in %n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were deleted after 30 days in the Trash.</source>
        <translation>
            <numerusform>%n run was deleted after 30 days in the Trash.</numerusform>
            <numerusform>%n runs were deleted after 30 days in the Trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoint(s)</source>
        <translation>
            <numerusform>%n checkpoint</numerusform>
            <numerusform>%n checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The library is sound, but %n checkpoint file(s) are gone.</source>
        <translation>
            <numerusform>The library is sound, but %n checkpoint file is gone.</numerusform>
            <numerusform>The library is sound, but %n checkpoint files are gone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LiveHeader</name>
    <message numerus="yes">
        <source>Continues %n unfinished run(s)</source>
        <translation>
            <numerusform>Continues %n unfinished run</numerusform>
            <numerusform>Continues %n unfinished runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n micro-step(s) per update</source>
        <translation>
            <numerusform>%n micro-step per update</numerusform>
            <numerusform>%n micro-steps per update</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LivePage</name>
    <message numerus="yes">
        <source>%n run(s) chosen in the Library drawn in full, the others as thin lines.</source>
        <translation>
            <numerusform>%n run chosen in the Library is drawn in full, the others as thin lines.</numerusform>
            <numerusform>%n runs chosen in the Library are drawn in full, the others as thin lines.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LiveRecovery</name>
    <message numerus="yes">
        <source>%n other run(s) of this study failed, too.</source>
        <translation>
            <numerusform>%n other run of this study failed, too.</numerusform>
            <numerusform>%n other runs of this study failed, too.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume %n run(s) in smaller parts</source>
        <translation>
            <numerusform>Resume %n run in smaller parts</numerusform>
            <numerusform>Resume %n runs in smaller parts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n study(s) from last time wait in the queue. Nothing trains until you continue it.</source>
        <translation>
            <numerusform>%n study from last time waits in the queue. Nothing trains until you continue it.</numerusform>
            <numerusform>%n studies from last time wait in the queue. Nothing trains until you continue it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlanAdvice</name>
    <message numerus="yes">
        <source>%Ln size(s) tried so far</source>
        <translation>
            <numerusform>%Ln size tried so far</numerusform>
            <numerusform>%Ln sizes tried so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Memory from m = %1 on, on %n lane(s): %2 + %3 per sample, at most %4 % off. Sizes with another number of lanes need different amounts: each lane has its own activations.</source>
        <translation>
            <numerusform>Memory from m = %1 on, on %n lane: %2 + %3 per sample, at most %4 % off. Sizes with another number of lanes need different amounts: each lane has its own activations.</numerusform>
            <numerusform>Memory from m = %1 on, on %n lanes: %2 + %3 per sample, at most %4 % off. Sizes with another number of lanes need different amounts: each lane has its own activations.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlanPlots</name>
    <message numerus="yes">
        <source>measured, %n lane(s)</source>
        <translation>
            <numerusform>measured, %n lane</numerusform>
            <numerusform>measured, %n lanes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>fit of %n lane(s)</source>
        <translation>
            <numerusform>fit of %n lane</numerusform>
            <numerusform>fit of %n lanes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlotModel</name>
    <message numerus="yes">
        <source>%1; %n curve(s) hidden</source>
        <comment>a sentence about the others</comment>
        <translation>
            <numerusform>%1; %n curve hidden</numerusform>
            <numerusform>%1; %n curves hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlotView</name>
    <message numerus="yes">
        <source>%Ln point(s) above</source>
        <translation>
            <numerusform>%Ln point above</numerusform>
            <numerusform>%Ln points above</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln point(s) below</source>
        <translation>
            <numerusform>%Ln point below</numerusform>
            <numerusform>%Ln points below</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) ≤ 0 hidden</source>
        <translation>
            <numerusform>%Ln value ≤ 0 hidden</numerusform>
            <numerusform>%Ln values ≤ 0 hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::QueueModel</name>
    <message numerus="yes">
        <source>%n run(s) that go on</source>
        <translation>
            <numerusform>%n run that goes on</numerusform>
            <numerusform>%n runs that go on</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::QueuePanel</name>
    <message numerus="yes">
        <source>%n study(s) wait in another window; you can only view them here.</source>
        <translation>
            <numerusform>%n study waits in another window; you can only view it here.</numerusform>
            <numerusform>%n studies wait in another window; you can only view them here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait. After the one that trains now, the queue pauses.</source>
        <translation>
            <numerusform>%n study waits. After the one that trains now, the queue pauses.</numerusform>
            <numerusform>%n studies wait. After the one that trains now, the queue pauses.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait. The queue is paused.</source>
        <translation>
            <numerusform>%n study waits. The queue is paused.</numerusform>
            <numerusform>%n studies wait. The queue is paused.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait for the one that trains now.</source>
        <translation>
            <numerusform>%n study waits for the one that trains now.</numerusform>
            <numerusform>%n studies wait for the one that trains now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait for their time.</source>
        <translation>
            <numerusform>%n study waits for its time.</numerusform>
            <numerusform>%n studies wait for their time.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) could not begin. Try them again, or remove them.</source>
        <translation>
            <numerusform>%n study could not begin. Try them again, or remove them.</numerusform>
            <numerusform>%n studys could not begin. Try them again, or remove them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ReportsPage</name>
    <message numerus="yes">
        <source>%n group(s) of chosen runs</source>
        <translation>
            <numerusform>%n group of chosen runs</numerusform>
            <numerusform>%n groups of chosen runs</numerusform>
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
    <name>accumulus::ui::RunImports</name>
    <message numerus="yes">
        <source>Importing %n file(s)…</source>
        <translation>
            <numerusform>Importing %n file…</numerusform>
            <numerusform>Importing %n files…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The runs of %n file(s) will be added to the library. Runs that are in it already stay as they are.</source>
        <translation>
            <numerusform>The runs of %n file will be added to the library. Runs that are in it already stay as they are.</numerusform>
            <numerusform>The runs of %n files will be added to the library. Runs that are in it already stay as they are.</numerusform>
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
    <name>accumulus::ui::RunListModel</name>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n seed</numerusform>
            <numerusform>%n seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n run(s)</source>
        <translation>
            <numerusform>%1 · %n run</numerusform>
            <numerusform>%1 · %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean ± standard deviation over %n completed run(s)</source>
        <translation>
            <numerusform>Mean ± standard deviation over %n completed run</numerusform>
            <numerusform>Mean ± standard deviation over %n completed runs</numerusform>
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
    <name>accumulus::ui::RunsEditor</name>
    <message numerus="yes">
        <source>%n runs are selected.</source>
        <translation>
            <numerusform>%n run is selected.</numerusform>
            <numerusform>%n runs are selected.</numerusform>
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
    <name>accumulus::ui::SavedComparisonModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SettingsCard</name>
    <message numerus="yes">
        <source>%n completed run(s) without a finite value of the metric are left out.</source>
        <translation>
            <numerusform>%n completed run without a finite value of the metric are left out.</numerusform>
            <numerusform>%n completed runs without a finite value of the metric are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n run(s) this setting does not matter; they are left out.</source>
        <translation>
            <numerusform>For %n run this setting does not matter; they are left out.</numerusform>
            <numerusform>For %n runs this setting does not matter; they are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more setting(s) differ; the table has them.</source>
        <translation>
            <numerusform>%n more setting differ; the table has them.</numerusform>
            <numerusform>%n more settings differ; the table has them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SettingsFigure</name>
    <message numerus="yes">
        <source>%1: %n run(s), mean %2</source>
        <translation>
            <numerusform>%1: %n run, mean %2</numerusform>
            <numerusform>%1: %n runs, mean %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in a colour of their own</source>
        <translation>
            <numerusform>%n run in a colour of its own</numerusform>
            <numerusform>%n runs in colours of their own</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupSummary</name>
    <message numerus="yes">
        <source>%Ln arm(s)</source>
        <translation>
            <numerusform>%Ln arm</numerusform>
            <numerusform>%Ln arms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln seed(s)</source>
        <translation>
            <numerusform>%Ln seed</numerusform>
            <numerusform>%Ln seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupView</name>
    <message numerus="yes">
        <source>%Ln update(s) per epoch</source>
        <translation>
            <numerusform>%Ln update per epoch</numerusform>
            <numerusform>%Ln updates per epoch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln update(s) in the first epoch</source>
        <translation>
            <numerusform>%Ln update in the first epoch</numerusform>
            <numerusform>%Ln updates in the first epoch</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SmoothingChoice</name>
    <message numerus="yes">
        <source>%n window(s)</source>
        <translation>
            <numerusform>%n window</numerusform>
            <numerusform>%n windows</numerusform>
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
<context>
    <name>accumulus::ui::VerdictCard</name>
    <message numerus="yes">
        <source>%1 of %n pair(s) done; the verdict is based on these.</source>
        <translation>
            <numerusform>%1 of %n pair done; the verdict is based on these.</numerusform>
            <numerusform>%1 of %n pairs done; the verdict is based on these.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::pair_brief</name>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n seed</numerusform>
            <numerusform>%n seeds</numerusform>
        </translation>
    </message>
</context>
</TS>
