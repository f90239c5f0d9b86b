/**
 * Source in C# 5, which Windows PowerShell compiles. It prints `ready`, reads `open ID PID PARENT FROM TO` and `close ID`, and
 * answers the latter with `closed ID` once nothing in the job runs. A job allows no process to leave it. What a process has started
 * before it was in its job is looked up by the parents: such a process counts only if it was created while its parent had the id.
 */
export const JOBS_SOURCE = `
using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;

public static class AutonomousJobs {
  [StructLayout(LayoutKind.Sequential)]
  struct Basic {
    public long PerProcess, PerJob;
    public uint Flags;
    public UIntPtr Minimum, Maximum;
    public uint Active;
    public UIntPtr Affinity;
    public uint Priority, Scheduling;
  }
  [StructLayout(LayoutKind.Sequential)]
  struct Extended {
    public Basic Basic;
    public ulong Reads, Writes, Others, ReadBytes, WriteBytes, OtherBytes;
    public UIntPtr ProcessMemory, JobMemory, PeakProcess, PeakJob;
  }
  [StructLayout(LayoutKind.Sequential)]
  struct Accounting {
    public long User, Kernel, PeriodUser, PeriodKernel;
    public uint Faults, Total, Active, Terminated;
  }
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  struct Entry {
    public uint Size, Usage, Id;
    public UIntPtr Heap;
    public uint Module, Threads, Parent;
    public int Priority;
    public uint Flags;
    [MarshalAs(UnmanagedType.ByValTStr, SizeConst = 260)]
    public string File;
  }

  [DllImport("kernel32.dll", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern IntPtr CreateJobObjectW(IntPtr security, string name);
  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool SetInformationJobObject(IntPtr job, int kind, ref Extended information, int size);
  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool QueryInformationJobObject(IntPtr job, int kind, ref Accounting information, int size, IntPtr returned);
  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool AssignProcessToJobObject(IntPtr job, IntPtr process);
  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool TerminateJobObject(IntPtr job, uint code);
  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool CloseHandle(IntPtr handle);
  [DllImport("kernel32.dll", SetLastError = true)]
  static extern IntPtr CreateToolhelp32Snapshot(uint flags, uint process);
  [DllImport("kernel32.dll", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern bool Process32FirstW(IntPtr snapshot, ref Entry entry);
  [DllImport("kernel32.dll", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern bool Process32NextW(IntPtr snapshot, ref Entry entry);

  const uint KillOnClose = 0x2000;
  const int ExtendedLimits = 9, BasicAccounting = 1;
  const uint Processes = 2;
  static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);
  static readonly Dictionary<string, IntPtr> jobs = new Dictionary<string, IntPtr>();

  static double Milliseconds(DateTime time) {
    return (time.ToUniversalTime() - Epoch).TotalMilliseconds;
  }

  public static void Run() {
    string line;
    Print("ready");
    while ((line = Console.In.ReadLine()) != null) {
      string[] words = line.Split(' ');
      string id = words.Length > 1 ? words[1] : "";
      try {
        if (words[0] == "open") Open(id, int.Parse(words[2]), int.Parse(words[3]), double.Parse(words[4]), double.Parse(words[5]));
        else Close(id);
      } catch (Exception) {
        // It has no job: only its own process is ended.
      }
      if (words[0] == "close") Print("closed " + id);
    }
  }

  static void Print(string line) {
    Console.Out.WriteLine(line);
    Console.Out.Flush();
  }

  // The clocks of both sides may differ by some seconds.
  const double Apart = 5000;

  static void Open(string id, int pid, int parent, double from, double to) {
    IntPtr job = CreateJobObjectW(IntPtr.Zero, null);
    if (job == IntPtr.Zero) throw new Win32Exception();
    jobs[id] = job;
    Extended limits = new Extended();
    limits.Basic.Flags = KillOnClose;
    if (!SetInformationJobObject(job, ExtendedLimits, ref limits, Marshal.SizeOf(typeof(Extended)))) throw new Win32Exception();
    double started = from - Apart;
    Process process = null;
    try {
      process = Process.GetProcessById(pid);
    } catch (ArgumentException) {
      // It has ended; what it started may run.
    }
    if (process != null) {
      using (process) {
        IntPtr handle = process.Handle;
        started = Milliseconds(process.StartTime);
        bool isOurs = false;
        foreach (Entry entry in Snapshot()) if ((int)entry.Id == pid) isOurs = (int)entry.Parent == parent;
        if (!isOurs || started < from - Apart || started > to + Apart) throw new InvalidOperationException("the id is another process's");
        if (!AssignProcessToJobObject(job, handle)) throw new Win32Exception();
      }
    }
    AddDescendants(job, pid, started);
  }

  static void AddDescendants(IntPtr job, int root, double rootStarted) {
    Dictionary<int, double> known = new Dictionary<int, double>();
    known[root] = rootStarted;
    bool more = true;
    while (more) {
      more = false;
      foreach (Entry entry in Snapshot()) {
        int id = (int)entry.Id;
        if (known.ContainsKey(id) || !known.ContainsKey((int)entry.Parent)) continue;
        try {
          using (Process process = Process.GetProcessById(id)) {
            IntPtr handle = process.Handle;
            double started = Milliseconds(process.StartTime);
            if (started < known[(int)entry.Parent]) continue;
            AssignProcessToJobObject(job, handle);
            known[id] = started;
            more = true;
          }
        } catch (Exception) {
          continue; // it has ended, or is protected
        }
      }
    }
  }

  static List<Entry> Snapshot() {
    List<Entry> entries = new List<Entry>();
    IntPtr snapshot = CreateToolhelp32Snapshot(Processes, 0);
    if (snapshot == new IntPtr(-1)) return entries;
    Entry entry = new Entry();
    entry.Size = (uint)Marshal.SizeOf(typeof(Entry));
    for (bool found = Process32FirstW(snapshot, ref entry); found; found = Process32NextW(snapshot, ref entry)) entries.Add(entry);
    CloseHandle(snapshot);
    return entries;
  }

  static void Close(string id) {
    IntPtr job;
    if (!jobs.TryGetValue(id, out job)) return;
    jobs.Remove(id);
    TerminateJobObject(job, 1);
    Accounting counts = new Accounting();
    Stopwatch waited = Stopwatch.StartNew();
    while (waited.ElapsedMilliseconds < 3000) {
      if (!QueryInformationJobObject(job, BasicAccounting, ref counts, Marshal.SizeOf(typeof(Accounting)), IntPtr.Zero)) break;
      if (counts.Active == 0) break;
      Thread.Sleep(10);
    }
    CloseHandle(job);
  }
}
`;
